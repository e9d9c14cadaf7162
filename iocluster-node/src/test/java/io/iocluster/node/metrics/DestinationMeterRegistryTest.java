package io.iocluster.node.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.message.Outcome;
import io.micrometer.core.instrument.Meter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class DestinationMeterRegistryTest {

    @AutoClose
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    private final AtomicLong clock = new AtomicLong(-5);
    private final DestinationMeterRegistry destinations = new DestinationMeterRegistry(registry, 2, clock::get);

    @Test
    void labelsTheFirstDestinationsAtOnce() {
        recordCalls("a:80", 3);
        recordCalls("b:80", 2);
        recordCalls("c:80", 1);

        assertThat(registry.scrape())
                .contains("iocluster_attempts_total{destination=\"a:80\"} 3.0")
                .contains("iocluster_attempts_total{destination=\"b:80\"} 2.0")
                .contains("iocluster_attempts_total{destination=\"other\"} 1.0")
                .doesNotContain("c:80");
    }

    @Test
    void givesTheLabelOfTheIdlestToAClearlyBusierDestination() {
        recordCalls("a:80", 500);
        recordCalls("b:80", 10);
        recordCalls("c:80", 400);

        reassign();
        recordCalls("c:80", 7);
        recordCalls("b:80", 3);

        assertThat(registry.scrape())
                .contains("iocluster_attempts_total{destination=\"a:80\"} 500.0")
                .contains("iocluster_attempts_total{destination=\"c:80\"} 7.0")
                .contains("iocluster_attempts_total{destination=\"other\"} 403.0")
                .doesNotContain("b:80");
    }

    @Test
    void keepsTheLabelsIfTheDifferenceIsSmall() {
        recordCalls("a:80", 500);
        recordCalls("b:80", 300);
        recordCalls("c:80", 550);

        reassign();

        assertThat(registry.scrape()).contains("a:80", "b:80").doesNotContain("c:80");
    }

    @Test
    void givesNoLabelToARarelyCalledDestination() {
        recordCalls("a:80", 0);
        recordCalls("b:80", 0);
        recordCalls("c:80", 20);

        reassign();

        assertThat(registry.scrape()).doesNotContain("c:80");
    }

    @Test
    void discountsOldEvents() {
        recordCalls("a:80", 10_000);
        recordCalls("b:80", 10_000);
        for (int minute = 0; minute < 8; minute++) {
            recordCalls("a:80", 100);
            recordCalls("c:80", 100);
            reassign();
        }

        assertThat(registry.scrape()).contains("a:80", "c:80").doesNotContain("b:80");
    }

    @Test
    void changesOneLabelAtATimeIfThereAreFew() {
        recordCalls("a:80", 1);
        recordCalls("b:80", 1);
        recordCalls("c:80", 1_000);
        recordCalls("d:80", 2_000);

        reassign();
        assertThat(registry.scrape()).contains("d:80").doesNotContain("c:80");
        reassign();
        assertThat(registry.scrape()).contains("d:80", "c:80").doesNotContain("a:80", "b:80");
    }

    @Test
    void reassignsLabelsAtMostOnceAMinute() {
        recordCalls("a:80", 1);
        recordCalls("b:80", 1);
        recordCalls("c:80", 1_000);

        clock.addAndGet(DestinationMeterRegistry.REASSIGN_INTERVAL.minusNanos(1).toNanos());
        destinations.reassignLabels();

        assertThat(registry.scrape()).doesNotContain("c:80");
    }

    @Test
    void findsTheBusyDestinationAmongManyThatOccurOnce() {
        recordCalls("a:80", 1);
        recordCalls("b:80", 1);
        for (int minute = 0; minute < 5; minute++) {
            for (int i = 0; i < 5_000; i++) {
                recordCalls("flood-" + minute + "-" + i + ":80", 1);
                if (i % 10 == 0) {
                    recordCalls("busy:80", 1);
                }
            }
            reassign();
        }

        assertThat(registry.scrape()).contains("busy:80").doesNotContain("flood");
    }

    @Test
    void aCallThatOutlivesItsLabelLeavesNoSeries() {
        recordCalls("a:80", 1);
        CallMeters outlived = destinations.getOrAdmit("a:80");
        recordCalls("b:80", 500);
        recordCalls("c:80", 500);
        int before = registry.getMeters().size();

        reassign();
        outlived.attempts().increment();
        outlived.callTimer(Outcome.FAILED, 0).record(Duration.ofMillis(1));
        outlived.errors().increment();
        outlived.failures().increment("timeout");
        outlived.attemptResults().record(AttemptMetersTest.response(200), 1);

        assertThat(registry.scrape()).contains("c:80").doesNotContain("a:80");
        assertThat(registry.getMeters()).extracting(Meter::getId).hasSize(before - 1);
    }

    @Test
    void labelsNoDestinationIfTheLimitIsZero() {
        DestinationMeterRegistry none = new DestinationMeterRegistry(registry, 0, clock::get);
        none.getOrAdmit("a:80").attempts().increment();

        clock.addAndGet(DestinationMeterRegistry.REASSIGN_INTERVAL.toNanos());
        none.reassignLabels();

        assertThat(registry.scrape())
                .contains("iocluster_attempts_total{destination=\"other\"} 1.0")
                .doesNotContain("a:80");
    }

    @Test
    void configuredDestinationsDoNotCountTowardsTheLimit() {
        recordCalls("a:80", 3);
        recordCalls("b:80", 2);
        recordCalls("partner", 1);

        destinations.setConfigured(Set.of("partner", "idle", "a:80"));
        recordCalls("partner", 4);
        recordCalls("a:80", 1);
        recordCalls("c:80", 5);

        assertThat(registry.scrape())
                .contains("iocluster_attempts_total{destination=\"partner\"} 4.0")
                .contains("iocluster_attempts_total{destination=\"idle\"} 0.0")
                .contains("iocluster_attempts_total{destination=\"a:80\"} 4.0")
                .contains("iocluster_attempts_total{destination=\"b:80\"} 2.0")
                .contains("iocluster_attempts_total{destination=\"c:80\"} 5.0")
                .contains("iocluster_attempts_total{destination=\"other\"} 1.0");
    }

    @Test
    void aConfiguredDestinationNeverLosesItsLabel() {
        destinations.setConfigured(Set.of("idle"));
        recordCalls("a:80", 1);
        recordCalls("b:80", 1);
        recordCalls("c:80", 1_000);

        reassign();

        assertThat(registry.scrape()).contains("idle", "c:80");
    }

    @Test
    void aDestinationThatIsNoLongerConfiguredLosesItsSeries() {
        destinations.setConfigured(Set.of("partner"));
        recordCalls("partner", 3);

        destinations.setConfigured(Set.of());

        assertThat(registry.scrape()).doesNotContain("partner");
        assertThat(destinations.get("partner").destination()).isEqualTo("other");
    }

    @Test
    void aDestinationNamedOtherSharesTheLabelOther() {
        recordCalls("other", 1_000);
        recordCalls("a:80", 1);
        recordCalls("b:80", 1);
        recordCalls("c:80", 1_000);

        reassign();

        assertThat(registry.scrape()).contains("iocluster_attempts_total{destination=\"other\"} 2000.0");
    }

    private void recordCalls(String destination, int count) {
        destinations.getOrAdmit(destination);
        for (int i = 0; i < count; i++) {
            destinations.getOrAdmit(destination).attempts().increment();
            destinations
                    .getOrAdmit(destination)
                    .callTimer(Outcome.ANSWERED, 200)
                    .record(Duration.ofMillis(1));
        }
    }

    private void reassign() {
        clock.addAndGet(DestinationMeterRegistry.REASSIGN_INTERVAL.toNanos());
        destinations.reassignLabels();
    }
}
