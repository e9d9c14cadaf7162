package io.iocluster.node.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.http.Certainty;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.usable.Usability;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class AttemptMetersTest {

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final AttemptMeters attempts = new AttemptMeters(registry, "a:80");

    @Test
    void recordsTheDurationsByResult() {
        attempts.record(response(200), TimeUnit.MILLISECONDS.toNanos(30));
        attempts.record(response(204), TimeUnit.MILLISECONDS.toNanos(3));
        attempts.record(response(401), TimeUnit.MILLISECONDS.toNanos(3));

        assertThat(registry.scrape())
                .contains("iocluster_attempt_seconds_count{destination=\"a:80\",result=\"2xx\"} 2")
                .contains("iocluster_attempt_seconds_bucket{destination=\"a:80\",result=\"2xx\",le=\"0.025\"} 1")
                .contains("iocluster_attempt_seconds_bucket{destination=\"a:80\",result=\"2xx\",le=\"0.05\"} 2")
                .contains("iocluster_attempt_seconds_count{destination=\"a:80\",result=\"4xx\"} 1")
                .contains("iocluster_attempt_statuses_total{destination=\"a:80\",status=\"204\"} 1.0")
                .contains("iocluster_attempt_statuses_total{destination=\"a:80\",status=\"401\"} 1.0");
    }

    @ParameterizedTest
    @CsvSource({
        "DNS_FAILED, dns",
        "CONNECT_REFUSED, connect",
        "CONNECT_TIMEOUT, connect",
        "TLS, tls",
        "TIMEOUT, timeout",
        "CONNECTION_CLOSED, closed",
        "PROTOCOL_ERROR, closed",
        "OUT_OF_MEMORY_BUDGET, other"
    })
    void recordsAFailureUnderItsFamily(ErrorCode code, String result) {
        attempts.record(failure(code), 1);

        assertThat(registry.scrape())
                .contains("iocluster_attempt_seconds_count{destination=\"a:80\",result=\"" + result + "\"} 1")
                .doesNotContain("iocluster_attempt_statuses_total");
    }

    @Test
    void countsOnlyTenExactStatuses() {
        for (int status = 200; status < 300; status++) {
            attempts.record(response(status), 1);
        }
        attempts.record(response(-7), 1);
        attempts.record(response(1_000_000), 1);

        assertThat(registry.scrape())
                .contains("iocluster_attempt_statuses_total{destination=\"a:80\",status=\"209\"} 1.0")
                .doesNotContain("status=\"210\"")
                .contains("iocluster_attempt_statuses_total{destination=\"a:80\",status=\"other\"} 92.0");
    }

    @ParameterizedTest
    @EnumSource(ErrorCode.class)
    void addsNoSeriesPerErrorCode(ErrorCode code) {
        attempts.record(failure(code), 1);

        assertThat(registry.getMeters()).hasSize(1);
    }

    @Test
    void countsAnswersThatAreNotUsableByReason() {
        attempts.record(response(200), 1);
        attempts.record(response(200).withUsability(Usability.USABLE), 1);
        attempts.record(response(200).withUsability(Usability.NO_MATCH), 1);
        attempts.record(response(204).withUsability(Usability.NOT_JSON), 1);
        attempts.record(response(204).withUsability(Usability.NOT_JSON), 1);

        assertThat(attempts.unusable()).isEqualTo(Map.of("no-match", 1L, "not-json", 2L));
        assertThat(registry.scrape())
                .contains("iocluster_unusable_answers_total{destination=\"a:80\",reason=\"no-match\"} 1.0")
                .contains("iocluster_unusable_answers_total{destination=\"a:80\",reason=\"not-json\"} 2.0");
        attempts.remove();
        assertThat(registry.scrape()).doesNotContain("iocluster_unusable_answers_total");
    }

    static HttpResult.Response response(int status) {
        return response(status, new byte[0]);
    }

    static HttpResult.Response response(int status, byte[] body) {
        return new HttpResult.Response(status, List.of(), body, false, AttemptTiming.NONE);
    }

    private static HttpResult failure(ErrorCode code) {
        return new HttpResult.Failure(code, "because", Certainty.NOT_SENT, AttemptTiming.NONE);
    }
}
