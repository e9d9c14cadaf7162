package io.iocluster.door.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DoorTrafficTest {

    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

    private long nanos;
    private final DoorTraffic traffic = new DoorTraffic(List.of("shop"), 3, () -> nanos, () -> NOW);

    @Test
    void countsTheOpenCallsOfAnAppAndAllSinceTheStart() {
        AppTraffic first = traffic.callStarted("shop", 1);
        traffic.callStarted("shop", 1);
        first.ended(1);

        assertThat(app("shop").inFlight()).isEqualTo(1);
        assertThat(app("shop").calls()).isEqualTo(2);
    }

    @Test
    void countsTheProblemsOfAnAppByCode() {
        traffic.problem("shop", "door-full");
        traffic.problem("shop", "door-full");
        traffic.problem("billing", "door-full");
        traffic.problem("shop", "app-over-quota");

        assertThat(app("shop").recentProblems())
                .containsExactly(new ProblemStatus("app-over-quota", 1, NOW), new ProblemStatus("door-full", 2, NOW));
        assertThat(app("shop").problems()).isEqualTo(3);
        assertThat(traffic.codes()).containsExactly("app-over-quota", "door-full");
        assertThat(traffic.problems("door-full")).isEqualTo(3);
    }

    @Test
    void aProblemOfACallerWithoutANameIsThatOfTheAppUnknown() {
        traffic.problem(null, "unauthorized");

        assertThat(app("unknown").problems()).isEqualTo(1);
    }

    @Test
    void problemsOfMoreThanTenMinutesAgoAreNotRecent() {
        traffic.problem("shop", "door-full");

        pass(Duration.ofMinutes(11));

        assertThat(app("shop").recentProblems()).isEmpty();
        assertThat(app("shop").problems()).isEqualTo(1);
    }

    @Test
    void appsBeyondTheLimitShareOneEntry() {
        IntStream.range(0, 100).forEach(i -> traffic.callStarted("invented-" + i, 1));

        assertThat(traffic.apps()).hasSize(3 + 3);
        assertThat(app("other").calls()).isEqualTo(97);
        assertThat(traffic.countedAs("invented-99")).isEqualTo("other");
        assertThat(traffic.countedAs("shop")).isEqualTo("shop");
    }

    @Test
    void anIdleAppWithoutAnEntryIsForgotten() {
        traffic.callStarted("idle", 1).ended(1);
        traffic.callStarted("busy", 1);

        pass(Duration.ofMinutes(11));
        traffic.sample();

        assertThat(traffic.apps())
                .extracting(AppTraffic::name)
                .containsExactlyInAnyOrder("shop", "unknown", "other", "busy");
    }

    @Test
    void theEndOfACallCountsForTheAppThatCountedItsStart() {
        IntStream.range(0, 3).forEach(i -> traffic.callStarted("early-" + i, 1).ended(1));
        AppTraffic late = traffic.callStarted("late", 1);
        pass(Duration.ofMinutes(11));
        traffic.sample();

        late.ended(1);

        assertThat(late.name()).isEqualTo("other");
        assertThat(app("other").inFlight()).isZero();
    }

    @Test
    void theRateIsAnAverageOfSeconds() {
        for (int second = 0; second < 60; second++) {
            IntStream.range(0, 20).forEach(i -> traffic.callStarted("shop", 1).ended(1));
            pass(Duration.ofSeconds(1));
            traffic.sample();
        }

        assertThat(app("shop").callsPerSecond()).isBetween(19.0, 20.0);
    }

    private AppTraffic app(String name) {
        return traffic.apps().stream()
                .filter(app -> app.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private void pass(Duration time) {
        nanos += time.toNanos();
    }
}
