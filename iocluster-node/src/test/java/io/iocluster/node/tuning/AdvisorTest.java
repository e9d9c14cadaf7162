package io.iocluster.node.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.iocluster.node.config.TuningSettings.Mode;
import io.iocluster.node.tuning.TuningStep.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests verdicts and steps on a simulated node. */
class AdvisorTest {

    private final TunedSimulation tuned = new TunedSimulation();
    private final QueueSimulation node = tuned.node;

    @Test
    void holdsUntilTheWindowHasEnoughData() {
        node.inputPerSecond = 2_000;

        tuned.advance(6);

        assertThat(tuned.verdict()).isEqualTo(Verdict.HOLD);
        assertThat(tuned.advice().reason()).startsWith("collecting data for 6.0 s");
        assertThat(node.resizes).isZero();
    }

    @Test
    void holdsWhenTheNodeKeepsUp() {
        node.inputPerSecond = 400;

        tuned.advance(20);

        assertThat(tuned.advice()).isEqualTo(Advice.hold("the node keeps up: 400 messages/s, no message waits"));
        assertThat(tuned.status().callsPerSecond()).isCloseTo(400, within(1e-9));
        assertThat(tuned.status().cpu()).isCloseTo(0.024, within(1e-9));
        assertThat(tuned.status().lagTrendPerSecond()).isCloseTo(0, within(1e-9));
    }

    @Test
    void reportsAnEmptySourceWhenNothingIsCalled() {
        tuned.advance(20);

        assertThat(tuned.verdict()).isEqualTo(Verdict.SOURCE_EMPTY);
        assertThat(tuned.status().since()).isEqualTo(Instant.EPOCH.plusSeconds(9));
    }

    @Test
    void sizesCallsInFlightByLittlesLaw() {
        tuned.settings = TunedSimulation.withMode(Mode.ADVISE);
        node.inputPerSecond = 1_000;

        tuned.advance(9);

        // 1,000/s arrive, and 4,500 wait, which takes 150/s to clear: 1,150/s for 0.1 s each, plus a quarter.
        assertThat(tuned.verdict()).isEqualTo(Verdict.GROW_IN_FLIGHT);
        assertThat(tuned.advice().maxInFlight()).isEqualTo(150);
        assertThat(tuned.advice().reason())
                .isEqualTo(
                        "4,500 messages wait, which is 9.0 s of work at 500/s, and the lag grows by 500/s; all 50 slots"
                                + " are taken, each for 100 ms, and the CPU is at 3%: 1,150/s need about 150");
        assertThat(node.resizes).isZero();
    }

    /** Calls that wait in the node until they expire are no less a backlog than messages that the node has not read. */
    @Test
    void sizesCallsInFlightWhileCallsExpireInTheNode() {
        tuned.settings = TunedSimulation.withMode(Mode.ADVISE);
        node.maxWaiting = 100_000;
        node.expireAfterSeconds = 2;
        node.inputPerSecond = 1_000;

        tuned.advance(30);

        // 1,000/s arrive, of which half expire, and 2,000 wait, which take 67/s to clear.
        assertThat(tuned.verdict()).isEqualTo(Verdict.GROW_IN_FLIGHT);
        assertThat(tuned.advice().maxInFlight()).isEqualTo(140);
    }

    @Test
    void reducesTheLagAfterEachIncreaseOfTheInput() {
        for (int input : List.of(20, 100, 1_700, 5_000)) {
            node.inputPerSecond = input;
            tuned.advance(1);
            assertThat(tuned.secondsUntil(60, () -> node.backlogSeconds() < 1)).isLessThan(60);
            tuned.advance(60);
            assertThat(node.backlogSeconds()).isLessThan(1);
        }

        assertThat(tuned.status().steps()).allMatch(step -> step.kind() == Kind.MORE_IN_FLIGHT);
        assertThat(tuned.status().stepCounts()).containsOnlyKeys(Kind.MORE_IN_FLIGHT);
        assertThat(node.slots).isBetween(500, 1_000);
    }

    @Test
    void recordsTheOldAndNewValueOfAStep() {
        node.inputPerSecond = 1_000;

        tuned.advance(12);

        TuningStep step = tuned.status().steps().get(0);
        assertThat(step.at()).isEqualTo(Instant.EPOCH.plusSeconds(9));
        assertThat(step.before()).isEqualTo(50);
        assertThat(step.after()).isEqualTo(150).isEqualTo(node.slots);
        assertThat(step.reason()).contains("1,150/s need about 150");
        assertThat(tuned.advice().reason()).contains("after the resize");
    }

    @Test
    void observesNothingInModeOff() {
        tuned.settings = TunedSimulation.withMode(Mode.OFF);
        node.inputPerSecond = 2_000;

        tuned.advance(60);

        assertThat(tuned.advice()).isEqualTo(Advice.hold("tuning.mode is off"));
        assertThat(tuned.status().cpu()).isNull();
        assertThat(tuned.status().lag()).isNull();
    }

    @Test
    void appliesAChangedModeWhileRunning() {
        tuned.settings = TunedSimulation.withMode(Mode.ADVISE);
        node.inputPerSecond = 1_000;
        tuned.advance(20);

        tuned.settings = TunedSimulation.withMode(Mode.AUTO);
        tuned.advance(1);

        assertThat(node.resizes).isEqualTo(1);
    }

    @Test
    void advisesNodesWhenMaxInFlightIsReached() {
        tuned.settings = TunedSimulation.limited(Mode.AUTO, 80, 2);
        node.inputPerSecond = 2_000;

        tuned.advance(120);

        assertThat(node.slots).isEqualTo(80);
        assertThat(tuned.verdict()).isEqualTo(Verdict.ADD_NODES);
        assertThat(tuned.advice().additionalNodes()).isBetween(2, 4);
        assertThat(tuned.advice().reason()).contains("all 80 slots are taken, as many as tuning.max-in-flight allows");
    }

    @Test
    void stopsGrowingAtTheCpuCeiling() {
        node.cpuSecondsPerCall = 0.001;
        node.inputPerSecond = 5_000;

        tuned.advance(120);

        // 80% of two cores handle 1,600 calls a second.
        assertThat(node.slots).isEqualTo(160);
        assertThat(node.cpu()).isLessThanOrEqualTo(0.8);
        assertThat(tuned.verdict()).isEqualTo(Verdict.ADD_NODES);
        assertThat(tuned.advice().reason()).contains("80%");
        assertThat(tuned.advice().additionalNodes()).isBetween(2, 5);
    }

    @Test
    void addsThreadsWhenEventLoopsAreBusyAndCoresAreFree() {
        node.threads = 1;
        node.cores = 4;
        node.slots = 1_000;
        node.cpuSecondsPerCall = 0.0001;
        node.inputPerSecond = 12_000;
        tuned.settings = TunedSimulation.limited(Mode.AUTO, 2_000, 4);

        tuned.advance(9);

        assertThat(node.threads).isBetween(2, 4);
        assertThat(tuned.status().stepCounts()).containsOnlyKeys(Kind.MORE_THREADS);
        assertThat(tuned.status().steps().get(0).reason())
                .contains("the event loops (1) are busy for 100% of the time");
    }

    @Test
    void advisesNodesWhenMaxThreadsIsReached() {
        node.threads = 1;
        node.cores = 4;
        node.slots = 1_000;
        node.inputPerSecond = 12_000;
        tuned.settings = TunedSimulation.limited(Mode.AUTO, 2_000, 1);

        tuned.advance(9);

        assertThat(tuned.verdict()).isEqualTo(Verdict.ADD_NODES);
        assertThat(node.resizes).isZero();
    }

    @Test
    void undoesAStepThatDidNotRaiseTheRate() {
        node.targetConcurrency = 50;
        node.inputPerSecond = 2_000;

        tuned.advance(30);

        assertThat(node.slots).isEqualTo(50);
        assertThat(tuned.verdict()).isEqualTo(Verdict.TARGET_SATURATED);
        assertThat(tuned.advice().reason())
                .isEqualTo("growing from 50 to 310 slots changed the rate only from 500/s to 500/s and the time"
                        + " per call from 100 ms to 620 ms: the targets accept no more calls");
        assertThat(tuned.status().steps())
                .extracting(TuningStep::kind)
                .containsExactly(Kind.MORE_IN_FLIGHT, Kind.FEWER_IN_FLIGHT);
    }

    @Test
    void reportsASaturatedTargetWhenTheSlotsAreJustBelowTheKnee() {
        node.targetConcurrency = 50;
        node.inputPerSecond = 2_000;
        tuned.advance(30);

        node.slots = 47;
        tuned.advance(30);

        assertThat(tuned.verdict()).isEqualTo(Verdict.TARGET_SATURATED);
    }

    @Test
    void reversesAtMostOnceAMinuteWhileTheTargetIsSaturated() {
        node.targetConcurrency = 50;
        node.inputPerSecond = 2_000;

        tuned.advance(3_600);

        List<TuningStep> steps = tuned.status().steps();
        assertThat(steps).hasSizeGreaterThan(5);
        List<Instant> reversals = reversals(steps);
        for (int i = 1; i < reversals.size(); i++) {
            assertThat(Duration.between(reversals.get(i - 1), reversals.get(i)))
                    .isGreaterThanOrEqualTo(Duration.ofMinutes(1));
        }
    }

    @Test
    void growsAgainWhenTheTargetBecomesFaster() {
        node.targetConcurrency = 50;
        node.inputPerSecond = 2_000;
        tuned.advance(30);

        node.targetConcurrency = Integer.MAX_VALUE;
        node.latencySeconds = 0.05;
        tuned.advance(90);

        assertThat(node.slots).isGreaterThan(100);
    }

    @Test
    void takesNoStepWhileDestinationsAreSaturated() {
        node.inputPerSecond = 2_000;
        node.saturated = List.of(new SaturatedDestination(
                "partner", "has 50 calls in flight, which is its limit, and 90 in its queue", 140));

        tuned.advance(120);

        assertThat(node.resizes).isZero();
        assertThat(tuned.verdict()).isEqualTo(Verdict.TARGET_SATURATED);
        assertThat(tuned.advice().reason())
                .isEqualTo("100% of the calls are for saturated destinations: partner has 50 calls in flight, which"
                        + " is its limit, and 90 in its queue");
    }

    @Test
    void growsWhenOnlyOneOfManyDestinationsIsSaturated() {
        node.inputPerSecond = 1_000;
        node.saturated = List.of(new SaturatedDestination("partner", "fails, and its breaker is open", 10));

        tuned.advance(9);

        // A fifth of the calls are for this destination; the others need more slots.
        assertThat(tuned.status().steps()).hasSize(1);
    }

    @Test
    void takesNoStepWhileTheLagIsUnknown() {
        node.inputPerSecond = 2_000;
        node.isLagKnown = false;

        tuned.advance(60);

        assertThat(node.resizes).isZero();
        assertThat(tuned.advice().reason()).startsWith("the lag was unknown or stale");
        assertThat(tuned.status().lag()).isNull();
        assertThat(tuned.status().lagTrendPerSecond()).isNull();
    }

    @Test
    void growsOnlyAfterTheLagIsKnownForAWholeWindow() {
        node.inputPerSecond = 2_000;
        node.isLagKnown = false;
        tuned.advance(60);

        node.isLagKnown = true;
        int seconds = tuned.secondsUntil(30, () -> node.resizes > 0);

        assertThat(seconds).isBetween(7, 12);
    }

    @Test
    void holdsWhileAnotherResourceIsTheBottleneckOrNothingIsRead() {
        node.inputPerSecond = 2_000;
        node.bottleneck = "answers wait";

        tuned.advance(30);

        assertThat(tuned.advice()).isEqualTo(Advice.hold("answers wait"));
        node.stopReason = "nothing is read: an operator paused the node";
        tuned.advance(30);
        assertThat(tuned.advice()).isEqualTo(Advice.hold(node.stopReason));
        assertThat(node.resizes).isZero();
    }

    @Test
    void namesTheBrokerWhenSlotsAreFree() {
        node.maxReadsPerSecond = 200;
        node.inputPerSecond = 2_000;

        tuned.advance(30);

        assertThat(tuned.verdict()).isEqualTo(Verdict.HOLD);
        assertThat(tuned.advice().reason())
                .isEqualTo("54,000 messages wait, although only 20 of 50 slots are taken and the CPU is at 1%:"
                        + " reading or publishing is slow; check the broker");
        assertThat(node.resizes).isZero();
    }

    @Test
    void holdsWhileTheBacklogClears() {
        node.slots = 400;
        node.queued = 40_000;
        node.inputPerSecond = 1_000;

        tuned.advance(9);

        assertThat(tuned.verdict()).isEqualTo(Verdict.HOLD);
        assertThat(tuned.advice().reason())
                .isEqualTo("the node catches up: 19,000 messages wait, the lag falls by 3,000/s, and the backlog is"
                        + " gone in about 6.3 s");
    }

    @Test
    void retriesAfterAFailedStep() {
        node.inputPerSecond = 1_000;
        node.resizeFailure = new IllegalStateException("not enough memory");
        tuned.advance(30);
        assertThat(tuned.status().steps()).isEmpty();

        node.resizeFailure = null;
        tuned.advance(60);

        assertThat(tuned.status().steps()).isNotEmpty();
    }

    private static List<Instant> reversals(List<TuningStep> steps) {
        return IntStream.range(1, steps.size())
                .filter(i -> steps.get(i).kind() != steps.get(i - 1).kind())
                .mapToObj(i -> steps.get(i).at())
                .toList();
    }
}
