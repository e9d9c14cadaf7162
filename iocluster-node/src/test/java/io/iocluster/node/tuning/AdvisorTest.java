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

/** The verdicts and the steps, on a simulated node. */
class AdvisorTest {

    private final TunedSimulation tuned = new TunedSimulation();
    private final QueueSimulation node = tuned.node;

    @Test
    void saysNothingBeforeTheFiguresWereWatched() {
        node.inputPerSecond = 2_000;

        tuned.pass(6);

        assertThat(tuned.verdict()).isEqualTo(Verdict.HOLD);
        assertThat(tuned.advice().reason()).startsWith("the figures are watched for 6.0 s");
        assertThat(node.resizes).isZero();
    }

    @Test
    void holdsWhereTheNodeKeepsUp() {
        node.inputPerSecond = 400;

        tuned.pass(20);

        assertThat(tuned.advice()).isEqualTo(Advice.hold("it keeps up: 400 messages/s, none of which waits"));
        assertThat(tuned.status().callsPerSecond()).isCloseTo(400, within(1e-9));
        assertThat(tuned.status().cpu()).isCloseTo(0.024, within(1e-9));
        assertThat(tuned.status().lagTrendPerSecond()).isCloseTo(0, within(1e-9));
    }

    @Test
    void saysThatTheSourceIsEmptyWhereNothingIsCalled() {
        tuned.pass(20);

        assertThat(tuned.verdict()).isEqualTo(Verdict.SOURCE_EMPTY);
        assertThat(tuned.status().since()).isEqualTo(Instant.EPOCH.plusSeconds(9));
    }

    @Test
    void advisesAsManyInFlightAsTheWantedRateNeedsByLittlesLaw() {
        tuned.settings = TunedSimulation.in(Mode.ADVISE);
        node.inputPerSecond = 1_000;

        tuned.pass(9);

        // 1,000/s come in and 4,500 wait, 150/s of which are to be worked off: 1,150/s of 0.1 s, and a quarter to
        // spare.
        assertThat(tuned.verdict()).isEqualTo(Verdict.GROW_IN_FLIGHT);
        assertThat(tuned.advice().maxInFlight()).isEqualTo(150);
        assertThat(tuned.advice().reason())
                .isEqualTo(
                        "4,500 messages wait, which is 9.0 s of work at 500/s, and the lag grows by 500/s; all 50 places"
                                + " are taken, each for 100 ms, and the CPU is at 3%: 1,150/s need about 150");
        assertThat(node.resizes).isZero();
    }

    @Test
    void bringsTheLagDownByItselfAfterEachStepOfTheInput() {
        for (int input : List.of(20, 100, 1_700, 5_000)) {
            node.inputPerSecond = input;
            tuned.pass(1);
            assertThat(tuned.secondsUntil(60, () -> node.workSeconds() < 1)).isLessThan(60);
            tuned.pass(60);
            assertThat(node.workSeconds()).isLessThan(1);
        }

        assertThat(tuned.status().steps()).allMatch(step -> step.kind() == Kind.MORE_IN_FLIGHT);
        assertThat(tuned.status().stepCounts()).containsOnlyKeys(Kind.MORE_IN_FLIGHT);
        assertThat(node.places).isBetween(500, 1_000);
    }

    @Test
    void showsEachStepWithBeforeAndAfter() {
        node.inputPerSecond = 1_000;

        tuned.pass(12);

        TuningStep step = tuned.status().steps().get(0);
        assertThat(step.at()).isEqualTo(Instant.EPOCH.plusSeconds(9));
        assertThat(step.before()).isEqualTo(50);
        assertThat(step.after()).isEqualTo(150).isEqualTo(node.places);
        assertThat(step.reason()).contains("1,150/s need about 150");
        assertThat(tuned.advice().reason()).contains("anew after a change");
    }

    @Test
    void onlyAdvisesUnlessItMayAct() {
        tuned.settings = TunedSimulation.in(Mode.ADVISE);
        node.inputPerSecond = 2_000;

        tuned.pass(120);

        assertThat(tuned.verdict()).isEqualTo(Verdict.GROW_IN_FLIGHT);
        assertThat(node.resizes).isZero();
    }

    @Test
    void looksAtNothingWhereItIsOff() {
        tuned.settings = TunedSimulation.in(Mode.OFF);
        node.inputPerSecond = 2_000;

        tuned.pass(60);

        assertThat(tuned.advice()).isEqualTo(Advice.hold("tuning.mode is off"));
        assertThat(tuned.status().cpu()).isNull();
        assertThat(tuned.status().lag()).isNull();
    }

    @Test
    void takesUpAnotherModeWhileItRuns() {
        tuned.settings = TunedSimulation.in(Mode.ADVISE);
        node.inputPerSecond = 1_000;
        tuned.pass(20);

        tuned.settings = TunedSimulation.in(Mode.AUTO);
        tuned.pass(1);

        assertThat(node.resizes).isEqualTo(1);
    }

    @Test
    void staysWithinItsLimitAndAsksForNodesThen() {
        tuned.settings = TunedSimulation.limited(Mode.AUTO, 80, 2);
        node.inputPerSecond = 2_000;

        tuned.pass(120);

        assertThat(node.places).isEqualTo(80);
        assertThat(tuned.verdict()).isEqualTo(Verdict.ADD_NODES);
        assertThat(tuned.advice().additionalNodes()).isBetween(2, 4);
        assertThat(tuned.advice().reason()).contains("all 80 places are taken, as many as tuning.max-in-flight allows");
    }

    @Test
    void growsNoFurtherThanTheCpuAllows() {
        node.cpuSecondsPerCall = 0.001;
        node.inputPerSecond = 5_000;

        tuned.pass(120);

        // At 80% of two cores it makes 1,600 calls a second.
        assertThat(node.places).isEqualTo(160);
        assertThat(node.cpu()).isLessThanOrEqualTo(0.8);
        assertThat(tuned.verdict()).isEqualTo(Verdict.ADD_NODES);
        assertThat(tuned.advice().reason()).contains("80%");
        assertThat(tuned.advice().additionalNodes()).isBetween(2, 5);
    }

    @Test
    void addsThreadsWhereEventLoopsAreBusyAndCoresAreNot() {
        node.threads = 1;
        node.cores = 4;
        node.places = 1_000;
        node.cpuSecondsPerCall = 0.0001;
        node.inputPerSecond = 12_000;
        tuned.settings = TunedSimulation.limited(Mode.AUTO, 2_000, 4);

        tuned.pass(9);

        assertThat(node.threads).isBetween(2, 4);
        assertThat(tuned.status().stepCounts()).containsOnlyKeys(Kind.MORE_THREADS);
        assertThat(tuned.status().steps().get(0).reason())
                .contains("the event loops (1) are busy for 100% of the time");
    }

    @Test
    void asksForNodesWhereThreadsAreAtTheirLimit() {
        node.threads = 1;
        node.cores = 4;
        node.places = 1_000;
        node.inputPerSecond = 12_000;
        tuned.settings = TunedSimulation.limited(Mode.AUTO, 2_000, 1);

        tuned.pass(9);

        assertThat(tuned.verdict()).isEqualTo(Verdict.ADD_NODES);
        assertThat(node.resizes).isZero();
    }

    @Test
    void takesBackWhatDidNotHelpAndSaysWhoIsSaturated() {
        node.targetMakesAtOnce = 50;
        node.inputPerSecond = 2_000;

        tuned.pass(30);

        assertThat(node.places).isEqualTo(50);
        assertThat(tuned.verdict()).isEqualTo(Verdict.TARGET_SATURATED);
        assertThat(tuned.advice().reason())
                .isEqualTo("from 50 to 310 places the calls went from 500/s to 500/s only, and took 620 ms in place of"
                        + " 100 ms each: those who are called take no more");
        assertThat(tuned.status().steps())
                .extracting(TuningStep::kind)
                .containsExactly(Kind.MORE_IN_FLIGHT, Kind.FEWER_IN_FLIGHT);
    }

    @Test
    void callsATargetSaturatedToWhichAFewPlacesMoreThanItsKneeAllowWouldNotHelp() {
        node.targetMakesAtOnce = 50;
        node.inputPerSecond = 2_000;
        tuned.pass(30);

        node.places = 47;
        tuned.pass(30);

        assertThat(tuned.verdict()).isEqualTo(Verdict.TARGET_SATURATED);
    }

    @Test
    void goesBackAndForthAtMostOnceAMinuteHoweverLongTheTargetIsSaturated() {
        node.targetMakesAtOnce = 50;
        node.inputPerSecond = 2_000;

        tuned.pass(3_600);

        List<TuningStep> steps = tuned.status().steps();
        assertThat(steps).hasSizeGreaterThan(5);
        List<Instant> reversals = reversals(steps);
        for (int i = 1; i < reversals.size(); i++) {
            assertThat(Duration.between(reversals.get(i - 1), reversals.get(i)))
                    .isGreaterThanOrEqualTo(Duration.ofMinutes(1));
        }
    }

    @Test
    void growsAgainOnceTheTargetHasBecomeFaster() {
        node.targetMakesAtOnce = 50;
        node.inputPerSecond = 2_000;
        tuned.pass(30);

        node.targetMakesAtOnce = Integer.MAX_VALUE;
        node.latencySeconds = 0.05;
        tuned.pass(90);

        assertThat(node.places).isGreaterThan(100);
    }

    @Test
    void takesNoStepWhileDestinationsAreSaturated() {
        node.inputPerSecond = 2_000;
        node.strained = List.of(new SaturatedDestination(
                "partner", "has 50 calls in flight, which is its limit, and 90 in its line", 140));

        tuned.pass(120);

        assertThat(node.resizes).isZero();
        assertThat(tuned.verdict()).isEqualTo(Verdict.TARGET_SATURATED);
        assertThat(tuned.advice().reason())
                .isEqualTo(
                        "100% of the calls are for destinations that take no more: partner has 50 calls in flight, which"
                                + " is its limit, and 90 in its line");
    }

    @Test
    void takesNoStepForOneSaturatedDestinationOfMany() {
        node.inputPerSecond = 1_000;
        node.strained = List.of(new SaturatedDestination("partner", "fails, and its breaker is open", 10));

        tuned.pass(9);

        // A fifth of the calls are its; the others want more places.
        assertThat(tuned.status().steps()).hasSize(1);
    }

    @Test
    void takesNoStepOnAStaleLag() {
        node.inputPerSecond = 2_000;
        node.lagIsKnown = false;

        tuned.pass(60);

        assertThat(node.resizes).isZero();
        assertThat(tuned.advice().reason()).startsWith("the lag is not known");
        assertThat(tuned.status().lag()).isNull();
        assertThat(tuned.status().lagTrendPerSecond()).isNull();
    }

    @Test
    void judgesByALagOnlyAfterItWasKnownForLong() {
        node.inputPerSecond = 2_000;
        node.lagIsKnown = false;
        tuned.pass(60);

        node.lagIsKnown = true;
        int seconds = tuned.secondsUntil(30, () -> node.resizes > 0);

        assertThat(seconds).isBetween(7, 12);
    }

    @Test
    void holdsWhileNothingIsRead() {
        node.inputPerSecond = 2_000;
        node.halted = "nothing is read: an operator paused the node";

        tuned.pass(30);

        assertThat(tuned.advice()).isEqualTo(Advice.hold("nothing is read: an operator paused the node"));
    }

    @Test
    void holdsWhileSomethingElseIsUsedUp() {
        node.inputPerSecond = 2_000;
        node.bound = "answers wait";

        tuned.pass(30);

        assertThat(tuned.advice()).isEqualTo(Advice.hold("answers wait"));
        assertThat(node.resizes).isZero();
    }

    @Test
    void pointsAtTheBrokerWherePlacesAreFree() {
        node.readsAtMost = 200;
        node.inputPerSecond = 2_000;

        tuned.pass(30);

        assertThat(tuned.verdict()).isEqualTo(Verdict.HOLD);
        assertThat(tuned.advice().reason())
                .isEqualTo("54,000 messages wait though only 20 of 50 places are taken and the CPU is at 1%: reading or"
                        + " publishing is slow; look at the broker");
        assertThat(node.resizes).isZero();
    }

    @Test
    void waitsWhileABacklogIsWorkedOff() {
        node.places = 400;
        node.queued = 40_000;
        node.inputPerSecond = 1_000;

        tuned.pass(9);

        assertThat(tuned.verdict()).isEqualTo(Verdict.HOLD);
        assertThat(tuned.advice().reason())
                .isEqualTo("it catches up: 19,000 messages wait, fewer by 3,000/s, and are gone in about 6.3 s");
    }

    @Test
    void goesOnWhereAStepCannotBeHad() {
        node.inputPerSecond = 1_000;
        node.refusal = new IllegalStateException("no room for so many");
        tuned.pass(30);
        assertThat(tuned.status().steps()).isEmpty();

        node.refusal = null;
        tuned.pass(60);

        assertThat(tuned.status().steps()).isNotEmpty();
    }

    private static List<Instant> reversals(List<TuningStep> steps) {
        return IntStream.range(1, steps.size())
                .filter(i -> steps.get(i).kind() != steps.get(i - 1).kind())
                .mapToObj(i -> steps.get(i).at())
                .toList();
    }
}
