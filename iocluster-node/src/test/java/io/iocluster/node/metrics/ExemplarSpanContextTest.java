package io.iocluster.node.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.message.Outcome;
import io.iocluster.node.TestStatuses;
import io.iocluster.pipeline.event.PipelineEvents;
import io.prometheus.metrics.config.PrometheusPropertiesLoader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExemplarSpanContextTest {

    @AutoClose
    private final NodeMetrics metrics = TestNodeMetrics.of(2);

    private final PipelineEvents events = metrics.events();

    @Test
    void keepsTheTraceOfACallAsAnExemplar() {
        events.callEnded("a:80", Outcome.ANSWERED, 200, null, 30_000_000, () -> traceparent("01"));
        events.acknowledged(80, () -> traceparent("01"));

        String labels = "# {span_id=\"b7ad6b7169203331\",trace_id=\"0af7651916cd43dd8448eb211c80319c\"}";
        assertThat(openMetrics().lines())
                .anyMatch(line ->
                        line.startsWith("iocluster_call_duration_seconds_bucket") && line.contains(labels + " 0.03 "))
                .anyMatch(line ->
                        line.startsWith("iocluster_end_to_end_seconds_bucket") && line.contains(labels + " 0.08 "));
        assertThat(scrape(null)).doesNotContain("trace_id");
    }

    @Test
    void looksForExemplarsOnceASecond() {
        assertThat(PrometheusPropertiesLoader.load(NodeMetrics.CONFIG.prometheusProperties())
                        .getExemplarProperties()
                        .getSampleIntervalMilliseconds())
                .isEqualTo(1_000);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "00-1-2-01",
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-zz",
                "00-00000000000000000000000000000000-b7ad6b7169203331-01",
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more",
                "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01"
            })
    void keepsNoExemplarForAnInvalidTraceparent(String traceparent) {
        events.callEnded("a:80", Outcome.ANSWERED, 200, null, 30_000_000, () -> traceparent);

        assertThat(openMetrics()).doesNotContain("trace_id");
    }

    @Test
    void keepsNoExemplarForAnUnsampledTrace() {
        events.callEnded("a:80", Outcome.ANSWERED, 200, null, 30_000_000, () -> traceparent("00"));

        assertThat(openMetrics()).doesNotContain("trace_id");
    }

    private static String traceparent(String flags) {
        return "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-" + flags;
    }

    private String openMetrics() {
        return scrape("application/openmetrics-text");
    }

    private String scrape(String accept) {
        return new String(
                metrics.scrape(TestStatuses.CONNECTED, List.of(), accept).text(), StandardCharsets.UTF_8);
    }
}
