package io.iocluster.node.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.hedge.HedgeResult;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Outcome;
import io.iocluster.node.TestStatuses;
import io.iocluster.node.TestTuningStatuses;
import io.iocluster.node.consul.ConsulMeters;
import io.iocluster.node.consul.ConsulStatus;
import io.iocluster.node.metrics.NodeMetrics.Exposition;
import io.iocluster.node.reload.ConfigurationMeters;
import io.iocluster.node.tuning.TuningMeters;
import io.iocluster.pipeline.PipelineStatus;
import io.iocluster.pipeline.event.PipelineEvents;
import io.iocluster.trace.Traced;
import io.iocluster.transport.SourceStatus;
import io.iocluster.transport.SourceStatus.Lag;
import io.iocluster.upstream.ConsulUpstreamSettings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class NodeMetricsTest {

    @AutoClose
    private final NodeMetrics metrics = TestNodeMetrics.of(2);

    private final PipelineEvents events = metrics.events();

    @Test
    void countsRedeliveredCallsByDestination() {
        events.redelivered("a.example:443");
        events.redelivered("a.example:443");

        assertThat(scrape()).contains("iocluster_destination_redelivered_total{destination=\"a.example:443\"} 2.0");
        assertThat(metrics.attempts())
                .filteredOn(each -> each.destination().equals("a.example:443"))
                .extracting(DestinationAttempts::redelivered)
                .containsExactly(2L);
    }

    @Test
    void countsSecondAttemptsByDestinationAndResult() {
        events.hedged("a.example:443", HedgeResult.WON);
        events.hedged("a.example:443", HedgeResult.WON);
        events.hedged("a.example:443", HedgeResult.OVER_BUDGET);

        assertThat(scrape())
                .contains("iocluster_hedges_total{destination=\"a.example:443\",result=\"won\"} 2.0")
                .contains("iocluster_hedges_total{destination=\"a.example:443\",result=\"over-budget\"} 1.0");
        assertThat(metrics.attempts())
                .filteredOn(each -> each.destination().equals("a.example:443"))
                .extracting(DestinationAttempts::hedges)
                .containsExactly(Map.of("won", 2L, "over-budget", 1L));
    }

    @Test
    void countsTheBytesOfBodiesByDestination() {
        events.attempted("a.example:443", 300);
        events.attempted("a.example:443", 0);
        events.attemptEnded("a.example:443", AttemptMetersTest.response(200, new byte[1_000]), 1);
        events.attemptEnded("a.example:443", AttemptMetersTest.response(503, new byte[24]), 1);

        assertThat(scrape())
                .contains("iocluster_request_body_bytes_total{destination=\"a.example:443\"} 300.0")
                .contains("iocluster_response_body_bytes_total{destination=\"a.example:443\"} 1024.0");
    }

    @Test
    void exposesWhetherTheConfigurationDiffersFromItsFile() {
        metrics.bind(new ConfigurationMeters(() -> TestStatuses.REFUSED));

        assertThat(scrape())
                .contains("iocluster_config_differs 1.0")
                .contains("iocluster_config_reloads_total{result=\"applied\"} 2.0")
                .contains("iocluster_config_reloads_total{result=\"refused\"} 1.0");
    }

    @Test
    void exposesTheConsulStatus() {
        metrics.bind(new ConsulMeters(() -> new ConsulStatus(
                "http://127.0.0.1:8500",
                new ConsulStatus.KeyStatus("a", true, null, 7),
                new ConsulStatus.ServiceStatus("iocluster-a", false, "status 403"),
                List.of(new ConsulStatus.UpstreamServiceStatus(
                        ConsulUpstreamSettings.NONE, false, "connection refused", 3)))));

        assertThat(scrape())
                .contains("iocluster_consul_connected 1.0")
                .contains("iocluster_consul_registered 0.0")
                .contains("iocluster_consul_upstreams_connected 0.0");
    }

    @Test
    void exposesOnlyTheStateOfUpstreamsIfThereIsNoKeyInConsulAndNoRegistration() {
        metrics.bind(new ConsulMeters(() -> new ConsulStatus("http://127.0.0.1:8500", null, null, List.of())));

        assertThat(scrape())
                .contains("iocluster_consul_upstreams_connected 1.0")
                .doesNotContain("iocluster_consul_connected")
                .doesNotContain("iocluster_consul_registered");
    }

    @Test
    void exposesTheAdviceOfTheAdvisor() {
        metrics.bind(new TuningMeters(() -> TestTuningStatuses.GROWING));

        assertThat(scrape())
                .contains("iocluster_tuning_verdict{verdict=\"grow-in-flight\"} 1.0")
                .contains("iocluster_tuning_verdict{verdict=\"hold\"} 0.0")
                .contains("iocluster_tuning_verdict{verdict=\"source-empty\"} 0.0")
                .contains("iocluster_tuning_advised_in_flight 600.0")
                .contains("iocluster_tuning_advised_threads NaN")
                .contains("iocluster_tuning_advised_additional_nodes NaN")
                .contains("iocluster_tuning_steps_total{direction=\"up\",setting=\"max-in-flight\"} 1.0")
                .contains("iocluster_tuning_steps_total{direction=\"down\",setting=\"max-in-flight\"} 0.0")
                .contains("iocluster_tuning_steps_total{direction=\"up\",setting=\"threads\"} 0.0");
    }

    @Test
    void countsEventsUnderTheDocumentedNames() {
        events.received(40);
        events.attempted("a.example:443", 0);
        events.retried("a.example:443", "503");
        events.delayed("a.example:443", "503");
        events.attempted("a.example:443", 0);
        events.callError("a.example:443", null);
        events.callError("a.example:443", ErrorCode.BREAKER_OPEN);
        events.callError(null, ErrorCode.INVALID_URL);
        events.callEnded("a.example:443", Outcome.ANSWERED, 204, null, 30_000_000, Traced.UNTRACED);
        events.acknowledged(80, Traced.UNTRACED);
        events.released();
        events.callEnded("a.example:443", Outcome.FAILED, 0, ErrorCode.CONNECT_TIMEOUT, 1_000_000, Traced.UNTRACED);
        events.deadLettered(ErrorCode.MALFORMED_ENVELOPE);
        events.egressViolation(ErrorCode.ADDRESS_NOT_ALLOWED);
        events.watchdogTimeout("partner");
        events.workerReplaced("worker-1");

        assertThat(scrape())
                .contains("iocluster_received_total{transport=\"kafka\"} 1.0")
                .contains("iocluster_attempts_total{destination=\"a.example:443\"} 2.0")
                .contains("iocluster_retries_total{reason=\"503\"} 1.0")
                .contains("iocluster_delayed_total{destination=\"a.example:443\",reason=\"503\"} 1.0")
                .contains(
                        "iocluster_call_duration_seconds_count{destination=\"a.example:443\",outcome=\"answered\",status=\"2xx\"}"
                                + " 1")
                .contains(
                        "iocluster_call_duration_seconds_bucket{destination=\"a.example:443\",outcome=\"answered\",status=\"2xx\",le=\"0.025\"}"
                                + " 0")
                .contains(
                        "iocluster_call_duration_seconds_bucket{destination=\"a.example:443\",outcome=\"answered\",status=\"2xx\",le=\"0.05\"}"
                                + " 1")
                .contains(
                        "iocluster_call_duration_seconds_count{destination=\"a.example:443\",outcome=\"failed\",status=\"none\"}"
                                + " 1")
                .contains("iocluster_failures_total{code=\"connect-timeout\"} 1.0")
                .contains("iocluster_call_errors_total{destination=\"a.example:443\"} 2.0")
                .contains("iocluster_call_errors_total{destination=\"other\"} 1.0")
                .contains(
                        "iocluster_destination_failures_total{code=\"breaker-open\",destination=\"a.example:443\"} 1.0")
                .contains("iocluster_queue_wait_seconds_sum{transport=\"kafka\"} 0.04")
                .contains("iocluster_end_to_end_seconds_sum{transport=\"kafka\"} 0.08")
                .contains("iocluster_settled_total{settlement=\"acknowledged\"} 1.0")
                .contains("iocluster_settled_total{settlement=\"released\"} 1.0")
                .contains("iocluster_dead_letters_total{code=\"malformed-envelope\"} 1.0")
                .contains("iocluster_egress_violations_total{code=\"address-not-allowed\"} 1.0")
                .contains("iocluster_watchdog_timeouts_total 1.0")
                .contains("iocluster_workers_replaced_total 1.0");
    }

    @Test
    void doesNotRecordAnUnknownQueueWait() {
        events.received(-1);
        events.acknowledged(-1, Traced.UNTRACED);

        assertThat(scrape())
                .contains("iocluster_received_total{transport=\"kafka\"} 1.0")
                .contains("iocluster_queue_wait_seconds_count{transport=\"kafka\"} 0")
                .contains("iocluster_end_to_end_seconds_count{transport=\"kafka\"} 0");
    }

    @Test
    void exposesTheStatusAsGauges() {
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
                .contains("iocluster_connection_hosts 3.0")
                .contains("iocluster_source_connected 1.0")
                .contains("iocluster_source_paused{reason=\"operator\"} 0.0");
    }

    @Test
    void removesTheRowsOfMissingPartitions() {
        assertThat(scrape()).contains("iocluster_consumer_lag{");

        assertThat(scrape(TestStatuses.DISCONNECTED))
                .doesNotContain("iocluster_consumer_lag{")
                .contains("iocluster_source_connected 0.0")
                .contains("iocluster_source_paused{reason=\"backoff\"} 1.0");
    }

    @Test
    void eachBucketIsAtMostThreeTimesThePreviousOne() {
        List<Duration> calls = List.of(HistogramBuckets.forCallDurations());
        List<Duration> waits = List.of(HistogramBuckets.forQueueWaits());

        assertThat(calls)
                .startsWith(Duration.ofMillis(1))
                .endsWith(Duration.ofMinutes(5))
                .hasSizeLessThan(20);
        assertThat(waits)
                .startsWith(Duration.ofMillis(1))
                .endsWith(Duration.ofHours(1))
                .hasSizeLessThan(25);
        for (int i = 1; i < waits.size(); i++) {
            assertThat(waits.get(i)).isGreaterThan(waits.get(i - 1));
            assertThat(waits.get(i)).isLessThanOrEqualTo(waits.get(i - 1).multipliedBy(3));
        }
    }

    @Test
    void exposesHowLongAnOpenTransactionBlocksAPartition() {
        Lag held = new Lag("requests", 3, 12, 0, 2_500, 90_000, false);
        PipelineStatus status =
                TestStatuses.of("kafka", new SourceStatus(true, null, Set.of(), 0, List.of(held), 0, 0));

        assertThat(scrape(status))
                .contains("iocluster_open_transaction_seconds{partition=\"3\",queue=\"requests\",transport=\"kafka\"}"
                        + " 90.0");
        assertThat(scrape())
                .contains("iocluster_open_transaction_seconds{partition=\"3\",queue=\"requests\",transport=\"kafka\"}"
                        + " 0.0");
    }

    @Test
    void keepsAStaleLagAndMarksIt() {
        Lag lag = new Lag("requests", 3, 12, 2_500, true);
        PipelineStatus disconnected = TestStatuses.of(
                "kafka", new SourceStatus(false, "disconnected", Set.of(), 0, List.of(lag), 0, 4, 0, 5, 6, 0));

        assertThat(scrape(disconnected))
                .contains("iocluster_consumer_lag{partition=\"3\",queue=\"requests\",transport=\"kafka\"} 12.0")
                .contains("iocluster_consumer_lag_seconds{queue=\"requests\",transport=\"kafka\"} 2.5")
                .contains("iocluster_consumer_lag_stale{partition=\"3\",queue=\"requests\",transport=\"kafka\"} 1.0")
                .contains("iocluster_source_connected 0.0")
                .contains("iocluster_redelivered_total 4.0", "iocluster_commit_metadata_truncated_total 5.0")
                .contains("iocluster_acknowledgements_failed_total 6.0");
        assertThat(scrape())
                .contains("iocluster_consumer_lag_stale{partition=\"3\",queue=\"requests\",transport=\"kafka\"} 0.0")
                .contains("iocluster_source_connected 1.0");
    }

    private static String text(Exposition exposition) {
        return new String(exposition.text(), StandardCharsets.UTF_8);
    }

    @Test
    void exposesTheProcessAndItsJvm() {
        assertThat(scrape())
                .contains(
                        "process_cpu_usage ",
                        "process_cpu_seconds_total ",
                        "system_cpu_usage ",
                        "jvm_memory_used_bytes{");
    }

    @Test
    void exposesTheNumberOfCpusAsUntyped() {
        assertThat(scrape())
                .contains("# TYPE system_cpu_count untyped\nsystem_cpu_count "
                        + (double) Runtime.getRuntime().availableProcessors())
                .doesNotContain("process_cpu_time_ns");
    }

    @Test
    void returnsOpenMetricsOnRequest() {
        Exposition exposition = metrics.scrape(
                TestStatuses.CONNECTED, List.of(), "application/openmetrics-text;version=1.0.0,text/plain;q=0.5");

        assertThat(exposition.contentType()).startsWith("application/openmetrics-text");
        assertThat(new String(exposition.text(), StandardCharsets.UTF_8)).endsWith("# EOF\n");
    }

    private String scrape() {
        return scrape(TestStatuses.CONNECTED);
    }

    private String scrape(PipelineStatus status) {
        Exposition exposition = metrics.scrape(status, List.of(), null);
        assertThat(exposition.contentType()).isEqualTo("text/plain; version=0.0.4; charset=utf-8");
        return new String(exposition.text(), StandardCharsets.UTF_8);
    }
}
