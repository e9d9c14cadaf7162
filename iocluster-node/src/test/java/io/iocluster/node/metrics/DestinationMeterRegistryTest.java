package io.iocluster.node.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.message.Outcome;
import io.micrometer.core.instrument.Meter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DestinationMeterRegistryTest {

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final AtomicLong clock = new AtomicLong(-5);
    private final DestinationMeterRegistry destinations = new DestinationMeterRegistry(registry, 2, clock::get);

    @AfterEach
    void close() {
        registry.close();
    }

    @Test
    void namesTheFirstToComeAtOnce() {
        calls("a:80", 3);
        calls("b:80", 2);
        calls("c:80", 1);

        assertThat(registry.scrape())
                .contains("iocluster_attempts_total{destination=\"a:80\"} 3.0")
                .contains("iocluster_attempts_total{destination=\"b:80\"} 2.0")
                .contains("iocluster_attempts_total{destination=\"other\"} 1.0")
                .doesNotContain("c:80");
    }

    @Test
    void givesTheIdlestsNameToWhoeverIsClearlyBusier() {
        calls("a:80", 500);
        calls("b:80", 10);
        calls("c:80", 400);

        review();
        calls("c:80", 7);
        calls("b:80", 3);

        assertThat(registry.scrape())
                .contains("iocluster_attempts_total{destination=\"a:80\"} 500.0")
                .contains("iocluster_attempts_total{destination=\"c:80\"} 7.0")
                .contains("iocluster_attempts_total{destination=\"other\"} 403.0")
                .doesNotContain("b:80");
    }

    @Test
    void leavesTheNamesWhereTheyAreIfTheDifferenceIsSmall() {
        calls("a:80", 500);
        calls("b:80", 300);
        calls("c:80", 550);

        review();

        assertThat(registry.scrape()).contains("a:80", "b:80").doesNotContain("c:80");
    }

    @Test
    void givesNoNameToWhoeverIsHardlyEverCalled() {
        calls("a:80", 0);
        calls("b:80", 0);
        calls("c:80", 20);

        review();

        assertThat(registry.scrape()).doesNotContain("c:80");
    }

    @Test
    void forgetsWhatWasLongAgo() {
        calls("a:80", 10_000);
        calls("b:80", 10_000);
        for (int minute = 0; minute < 8; minute++) {
            calls("a:80", 100);
            calls("c:80", 100);
            review();
        }

        assertThat(registry.scrape()).contains("a:80", "c:80").doesNotContain("b:80");
    }

    @Test
    void changesOneNameOfAFewAtATime() {
        calls("a:80", 1);
        calls("b:80", 1);
        calls("c:80", 1_000);
        calls("d:80", 2_000);

        review();
        assertThat(registry.scrape()).contains("d:80").doesNotContain("c:80");
        review();
        assertThat(registry.scrape()).contains("d:80", "c:80").doesNotContain("a:80", "b:80");
    }

    @Test
    void reviewsNoMoreThanOnceAMinute() {
        calls("a:80", 1);
        calls("b:80", 1);
        calls("c:80", 1_000);

        clock.addAndGet(DestinationMeterRegistry.REASSIGN_INTERVAL.minusNanos(1).toNanos());
        destinations.reassignLabels();

        assertThat(registry.scrape()).doesNotContain("c:80");
    }

    @Test
    void findsTheBusyOneInAFloodOfNamesThatComeOnce() {
        calls("a:80", 1);
        calls("b:80", 1);
        for (int minute = 0; minute < 5; minute++) {
            for (int i = 0; i < 5_000; i++) {
                calls("flood-" + minute + "-" + i + ":80", 1);
                if (i % 10 == 0) {
                    calls("busy:80", 1);
                }
            }
            review();
        }

        assertThat(registry.scrape()).contains("busy:80").doesNotContain("flood");
    }

    @Test
    void aCallThatOutlivesItsNameLeavesNoSeriesBehind() {
        calls("a:80", 1);
        CallMeters outlived = destinations.getOrAdmit("a:80");
        calls("b:80", 500);
        calls("c:80", 500);
        int before = registry.getMeters().size();

        review();
        outlived.attempts().increment();
        outlived.callTimer(Outcome.FAILED, 0).record(Duration.ofMillis(1));

        assertThat(registry.scrape()).contains("c:80").doesNotContain("a:80");
        assertThat(registry.getMeters()).extracting(Meter::getId).hasSize(before - 1);
    }

    @Test
    void namesNobodyWhereTheLimitIsZero() {
        DestinationMeterRegistry none = new DestinationMeterRegistry(registry, 0, clock::get);
        none.getOrAdmit("a:80").attempts().increment();

        clock.addAndGet(DestinationMeterRegistry.REASSIGN_INTERVAL.toNanos());
        none.reassignLabels();

        assertThat(registry.scrape())
                .contains("iocluster_attempts_total{destination=\"other\"} 1.0")
                .doesNotContain("a:80");
    }

    @Test
    void configuredOnesHaveTheirNamesBesidesTheLimit() {
        calls("a:80", 3);
        calls("b:80", 2);
        calls("partner", 1);

        destinations.setConfigured(Set.of("partner", "idle", "a:80"));
        calls("partner", 4);
        calls("a:80", 1);
        calls("c:80", 5);

        assertThat(registry.scrape())
                .contains("iocluster_attempts_total{destination=\"partner\"} 4.0")
                .contains("iocluster_attempts_total{destination=\"idle\"} 0.0")
                .contains("iocluster_attempts_total{destination=\"a:80\"} 4.0")
                .contains("iocluster_attempts_total{destination=\"b:80\"} 2.0")
                .contains("iocluster_attempts_total{destination=\"c:80\"} 5.0")
                .contains("iocluster_attempts_total{destination=\"other\"} 1.0");
    }

    @Test
    void noneThatIsConfiguredLosesItsNameToABusierOne() {
        destinations.setConfigured(Set.of("idle"));
        calls("a:80", 1);
        calls("b:80", 1);
        calls("c:80", 1_000);

        review();

        assertThat(registry.scrape()).contains("idle", "c:80");
    }

    @Test
    void whoeverIsConfiguredNoMoreTakesItsSeriesAlong() {
        destinations.setConfigured(Set.of("partner"));
        calls("partner", 3);

        destinations.setConfigured(Set.of());

        assertThat(registry.scrape()).doesNotContain("partner");
        assertThat(destinations.get("partner").destination()).isEqualTo("other");
    }

    @Test
    void whatIsOtherToTheNodeIsNoNameOfItsOwn() {
        calls("other", 1_000);
        calls("a:80", 1);
        calls("b:80", 1);
        calls("c:80", 1_000);

        review();

        assertThat(registry.scrape()).contains("iocluster_attempts_total{destination=\"other\"} 2000.0");
    }

    private void calls(String destination, int count) {
        destinations.getOrAdmit(destination);
        for (int i = 0; i < count; i++) {
            destinations.getOrAdmit(destination).attempts().increment();
            destinations
                    .getOrAdmit(destination)
                    .callTimer(Outcome.ANSWERED, 200)
                    .record(Duration.ofMillis(1));
        }
    }

    private void review() {
        clock.addAndGet(DestinationMeterRegistry.REASSIGN_INTERVAL.toNanos());
        destinations.reassignLabels();
    }
}
