package io.iocluster.node.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.message.ErrorCode;
import io.iocluster.message.Outcome;
import io.iocluster.node.SampleStatus;
import io.iocluster.node.consul.ConsulStatus;
import io.iocluster.node.metrics.NodeMetrics.Exposition;
import io.iocluster.pipeline.PipelineEvents;
import io.iocluster.pipeline.PipelineStatus;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NodeMetricsTest {

    private final NodeMetrics metrics = new NodeMetrics("kafka", 2, () -> SampleStatus.REFUSED);
    private final PipelineEvents events = metrics.events();

    @AfterEach
    void close() {
        metrics.close();
    }

    @Test
    void showsHowTheConfigurationStandsToItsFile() {
        assertThat(scrape())
                .contains("iocluster_config_differs 1.0")
                .contains("iocluster_config_reloads_total{result=\"applied\"} 2.0")
                .contains("iocluster_config_reloads_total{result=\"refused\"} 1.0");
    }

    @Test
    void showsHowTheNodeStandsWithConsul() {
        metrics.show(() -> new ConsulStatus(
                "http://127.0.0.1:8500",
                new ConsulStatus.KeyStatus("a", true, null, 7),
                new ConsulStatus.ServiceStatus("iocluster-a", false, "status 403")));

        assertThat(scrape()).contains("iocluster_consul_connected 1.0").contains("iocluster_consul_registered 0.0");
    }

    @Test
    void showsNothingOfConsulThatTheNodeHasNotToDoThere() {
        metrics.show(() -> new ConsulStatus("http://127.0.0.1:8500", null, null));

        assertThat(scrape()).doesNotContain("iocluster_consul");
    }

    @Test
    void countsWhatHappensUnderTheContractsNames() {
        events.received(40);
        events.attempted("a.example:443");
        events.retried("a.example:443", "503");
        events.putOff("a.example:443", "503");
        events.attempted("a.example:443");
        events.called("a.example:443", Outcome.ANSWERED, 204, null, 30_000_000);
        events.acknowledged(80);
        events.released();
        events.called("a.example:443", Outcome.FAILED, 0, ErrorCode.CONNECT_TIMEOUT, 1_000_000);
        events.deadLettered(ErrorCode.MALFORMED_ENVELOPE);
        events.egressReported(ErrorCode.ADDRESS_NOT_ALLOWED);

        assertThat(scrape())
                .contains("iocluster_received_total{transport=\"kafka\"} 1.0")
                .contains("iocluster_attempts_total{destination=\"a.example:443\"} 2.0")
                .contains("iocluster_retries_total{reason=\"503\"} 1.0")
                .contains("iocluster_put_off_total{destination=\"a.example:443\",reason=\"503\"} 1.0")
                .contains(
                        "iocluster_calls_seconds_count{destination=\"a.example:443\",outcome=\"answered\",status=\"2xx\"} 1")
                .contains(
                        "iocluster_calls_seconds_bucket{destination=\"a.example:443\",outcome=\"answered\",status=\"2xx\",le=\"0.025\"} 0")
                .contains(
                        "iocluster_calls_seconds_bucket{destination=\"a.example:443\",outcome=\"answered\",status=\"2xx\",le=\"0.05\"} 1")
                .contains(
                        "iocluster_calls_seconds_count{destination=\"a.example:443\",outcome=\"failed\",status=\"none\"} 1")
                .contains("iocluster_failures_total{code=\"connect-timeout\"} 1.0")
                .contains("iocluster_queue_wait_seconds_sum{transport=\"kafka\"} 0.04")
                .contains("iocluster_end_to_end_seconds_sum{transport=\"kafka\"} 0.08")
                .contains("iocluster_settled_total{settlement=\"acknowledged\"} 1.0")
                .contains("iocluster_settled_total{settlement=\"released\"} 1.0")
                .contains("iocluster_dead_letters_total{code=\"malformed-envelope\"} 1.0")
                .contains("iocluster_egress_reports_total{code=\"address-not-allowed\"} 1.0");
    }

    @Test
    void aWaitThatNobodyKnowsIsNotCounted() {
        events.received(-1);
        events.acknowledged(-1);

        assertThat(scrape())
                .contains("iocluster_received_total{transport=\"kafka\"} 1.0")
                .contains("iocluster_queue_wait_seconds_count{transport=\"kafka\"} 0")
                .contains("iocluster_end_to_end_seconds_count{transport=\"kafka\"} 0");
    }

    @Test
    void showsTheStatusAsGauges() {
        assertThat(scrape())
                .contains("iocluster_consumer_lag{partition=\"3\",queue=\"requests\",transport=\"kafka\"} 12.0")
                .contains("iocluster_consumer_lag_seconds{queue=\"requests\",transport=\"kafka\"} 2.5")
                .contains("iocluster_in_flight 7.0")
                .contains("iocluster_in_flight_limit 300.0")
                .contains("iocluster_in_flight_bytes 1024.0")
                .contains("iocluster_waiting 5.0")
                .contains("iocluster_workers 1.0")
                .contains("iocluster_worker_in_flight{worker=\"worker-1\"} 7.0")
                .contains("iocluster_connections{state=\"active\"} 5.0")
                .contains("iocluster_connections{state=\"idle\"} 2.0")
                .contains("iocluster_source_paused{reason=\"operator\"} 0.0");
    }

    @Test
    void aPartitionThatIsGoneLeavesNoRow() {
        assertThat(scrape()).contains("iocluster_consumer_lag{");

        assertThat(scrape(SampleStatus.DISCONNECTED))
                .doesNotContain("iocluster_consumer_lag{")
                .contains("iocluster_source_paused{reason=\"backoff\"} 1.0");
    }

    @Test
    void destinationsBeyondTheLimitAreCountedAsOther() {
        Stream.of("a:80", "b:80", "c:80", "d:80", "a:80").forEach(events::attempted);
        events.called(null, Outcome.REJECTED, 0, ErrorCode.INVALID_URL, 1);

        assertThat(scrape())
                .contains("iocluster_attempts_total{destination=\"a:80\"} 2.0")
                .contains("iocluster_attempts_total{destination=\"b:80\"} 1.0")
                .contains("iocluster_attempts_total{destination=\"other\"} 2.0")
                .contains("iocluster_calls_seconds_count{destination=\"other\",outcome=\"rejected\",status=\"none\"} 1")
                .doesNotContain("c:80");
    }

    @Test
    void showsTheProcessAndItsJvm() {
        assertThat(scrape())
                .contains("process_cpu_usage ", "system_cpu_usage ", "system_cpu_count ", "jvm_memory_used_bytes{");
    }

    @Test
    void speaksOpenMetricsToWhoeverAsks() {
        Exposition exposition = metrics.scrape(
                SampleStatus.CONNECTED, List.of(), "application/openmetrics-text;version=1.0.0,text/plain;q=0.5");

        assertThat(exposition.contentType()).startsWith("application/openmetrics-text");
        assertThat(new String(exposition.text(), StandardCharsets.UTF_8)).endsWith("# EOF\n");
    }

    private String scrape() {
        return scrape(SampleStatus.CONNECTED);
    }

    private String scrape(PipelineStatus status) {
        Exposition exposition = metrics.scrape(status, List.of(), null);
        assertThat(exposition.contentType()).isEqualTo("text/plain; version=0.0.4; charset=utf-8");
        return new String(exposition.text(), StandardCharsets.UTF_8);
    }
}
