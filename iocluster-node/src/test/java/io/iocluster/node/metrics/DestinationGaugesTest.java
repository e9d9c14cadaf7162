package io.iocluster.node.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.destination.ClusterLimits;
import io.iocluster.destination.DestinationStatus;
import io.iocluster.destination.limit.BreakerState;
import io.iocluster.destination.operator.OperatorStatus;
import io.iocluster.node.TestStatuses;
import io.iocluster.settings.Rate;
import io.iocluster.testkit.record.RecordCopy;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class DestinationGaugesTest {

    private static final DestinationStatus PARTNER = TestStatuses.destination(
            "partner",
            "inFlight",
            7,
            "limit",
            100,
            "waiting",
            12,
            "breaker",
            BreakerState.HALF_OPEN,
            "retryBudgetExhausted",
            3,
            "pausedFor",
            Duration.ofMillis(1_500));

    private static final DestinationStatus BUSY = unconfigured("busy:443", 2, 0, BreakerState.CLOSED, 1);
    private static final DestinationStatus OTHER = unconfigured("other", 4, 10, BreakerState.OPEN, 5);

    @AutoClose
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    private final DestinationMeterRegistry meters = new DestinationMeterRegistry(registry, 1, System::nanoTime);
    private final DestinationGauges gauges = new DestinationGauges(registry, meters);

    @Test
    void exposesTheStatusOfADestination() {
        assertThat(scrape(PARTNER, OTHER))
                .contains("iocluster_destination_in_flight{destination=\"partner\"} 7.0")
                .contains("iocluster_destination_in_flight_limit{destination=\"partner\"} 100.0")
                .contains("iocluster_destination_waiting{destination=\"partner\"} 12.0")
                .contains("iocluster_destination_breaker{destination=\"partner\",state=\"closed\"} 0.0")
                .contains("iocluster_destination_breaker{destination=\"partner\",state=\"open\"} 0.0")
                .contains("iocluster_destination_breaker{destination=\"partner\",state=\"half-open\"} 1.0")
                .contains("iocluster_destination_paused_seconds{destination=\"partner\"} 1.5")
                .contains("iocluster_destination_retry_budget_exhausted_total{destination=\"partner\"} 3.0");
    }

    @Test
    void exposesTheRateThatThisNodeMayUse() {
        assertThat(scrape(PARTNER)).doesNotContain("iocluster_destination_rate_limit{");
        DestinationStatus limited = RecordCopy.with(PARTNER, "rate", Rate.parse("120/m"));
        assertThat(scrape(limited)).contains("iocluster_destination_rate_limit{destination=\"partner\"} 2.0");

        DestinationStatus divided = RecordCopy.with(limited, "cluster", new ClusterLimits(4, null, limited.rate()));
        assertThat(scrape(divided)).contains("iocluster_destination_rate_limit{destination=\"partner\"} 0.5");
        DestinationStatus held = RecordCopy.with(limited, "cluster", new ClusterLimits(0, null, limited.rate()));
        assertThat(scrape(held)).contains("iocluster_destination_rate_limit{destination=\"partner\"} 0.0");
    }

    @Test
    void exposesTheActionsOfAnOperatorWhileTheyAreInForce() {
        OperatorStatus paused =
                new OperatorStatus(new OperatorStatus.Pause(Instant.EPOCH, Duration.ofSeconds(90)), null);

        assertThat(scrape(RecordCopy.with(PARTNER, "operator", paused)))
                .contains("iocluster_destination_operator_seconds{action=\"pause\",destination=\"partner\"} 90.0")
                .doesNotContain("action=\"limit\"");
        assertThat(scrape(PARTNER)).doesNotContain("iocluster_destination_operator_seconds{");
    }

    @Test
    void addsUpDestinationsThatShareALabel() {
        meters.getOrAdmit("busy:443").attempts().increment();

        assertThat(scrape(PARTNER, BUSY, unconfigured("rare:443", 3, 10, BreakerState.OPEN, 2), OTHER))
                .contains("iocluster_destination_in_flight{destination=\"busy:443\"} 2.0")
                .contains("iocluster_destination_in_flight{destination=\"other\"} 7.0")
                .contains("iocluster_destination_in_flight_limit{destination=\"other\"} 20.0")
                .contains("iocluster_destination_breaker{destination=\"other\",state=\"open\"} 2.0")
                .contains("iocluster_destination_retry_budget_exhausted_total{destination=\"other\"} 7.0")
                .doesNotContain("rare");
    }

    @Test
    void exposesNoLimitIfThereIsNone() {
        meters.getOrAdmit("busy:443").attempts().increment();

        assertThat(scrape(BUSY, unconfigured("rare:443", 3, 0, BreakerState.CLOSED, 0), OTHER))
                .doesNotContain("iocluster_destination_in_flight_limit{");
    }

    @Test
    void countsEachRefusedRetryOnce() {
        scrape(PARTNER);
        scrape(PARTNER);

        assertThat(scrape(refused(5)))
                .contains("iocluster_destination_retry_budget_exhausted_total{destination=\"partner\"} 5.0");
    }

    @Test
    void continuesCountingWhenAnEvictedDestinationReturns() {
        scrape(PARTNER);
        scrape(refused(1));

        assertThat(scrape(refused(2)))
                .contains("iocluster_destination_retry_budget_exhausted_total{destination=\"partner\"} 5.0");
    }

    @Test
    void removesTheRowsOfMissingDestinations() {
        meters.getOrAdmit("busy:443").attempts().increment();
        assertThat(scrape(BUSY)).contains("iocluster_destination_in_flight{destination=\"busy:443\"}");

        assertThat(scrape(OTHER)).doesNotContain("iocluster_destination_in_flight{destination=\"busy:443\"}");
    }

    private String scrape(DestinationStatus... destinations) {
        gauges.update(List.of(destinations));
        return registry.scrape();
    }

    private static DestinationStatus refused(long retries) {
        return TestStatuses.destination("partner", "breaker", BreakerState.DISABLED, "retryBudgetExhausted", retries);
    }

    private static DestinationStatus unconfigured(
            String name, int inFlight, int limit, BreakerState breaker, long retriesRefused) {
        return RecordCopy.with(
                TestStatuses.destination(name, "configured", false, "inFlight", inFlight, "limit", limit, "waiting", 1),
                "breaker",
                breaker,
                "retryBudgetExhausted",
                retriesRefused);
    }
}
