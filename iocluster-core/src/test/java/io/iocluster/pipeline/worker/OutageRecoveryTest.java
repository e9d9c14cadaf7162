package io.iocluster.pipeline.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.destination.limit.BreakerState;
import io.iocluster.destination.policy.AdaptiveConcurrencySettings;
import io.iocluster.destination.policy.BreakerSettings;
import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.pipeline.worker.SimulatedNode.Behaviour;
import io.iocluster.pipeline.worker.SimulatedNode.Change;
import io.iocluster.pipeline.worker.SimulatedNode.Message;
import io.iocluster.pipeline.worker.SimulatedNode.Traffic;
import io.iocluster.testkit.record.RecordCopy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests in simulated time that calls succeed soon after a target is well again, with the default settings. */
class OutageRecoveryTest {

    private static final long BEGIN = 20_000;
    private static final long REPAIRED = BEGIN + 75_000;
    private static final long MARGIN = 5_000;
    private static final BreakerSettings BREAKER = BreakerSettings.DEFAULTS;
    private static final Duration SECOND = Duration.ofSeconds(1);
    /** Twice the timeout of an attempt, and a tick. */
    private static final long MAX_HALF_OPEN_MILLIS =
            2 * DestinationPolicy.DEFAULTS.timeout().toMillis() + 10;

    static Stream<Arguments> outages() {
        List<Arguments> all = new ArrayList<>();
        for (Named<Behaviour> outage : List.of(
                Named.of("refuses", Behaviour.REFUSES),
                Named.of("hangs", Behaviour.HANGS),
                Named.of("answers 500", Behaviour.FAILS))) {
            for (long answerMillis : List.of(20L, 1_000L, 4_000L)) {
                for (int deadlineSeconds : List.of(5, 30)) {
                    all.add(Arguments.of(outage, Duration.ofMillis(answerMillis), Duration.ofSeconds(deadlineSeconds)));
                }
            }
        }
        return all.stream();
    }

    @ParameterizedTest(name = "{0}, then answers after {1}; deadline {2}")
    @MethodSource("outages")
    void callsSucceedWithinTheOpenTimeAndFiveSeconds(Behaviour outage, Duration answer, Duration deadline) {
        SimulatedNode node = node(outage, answer, REPAIRED);
        Traffic traffic = new Traffic(30, deadline);

        node.runUntil(REPAIRED, traffic);
        long bound = REPAIRED + openMillis(node) + MARGIN;
        node.runUntil(bound + 120_000, traffic);

        assertThat(firstSuccess(node, REPAIRED)).isLessThanOrEqualTo(bound);
        assertAllSucceed(node, traffic, bound);
    }

    @ParameterizedTest(name = "{0} of 30 calls a second have enough time")
    @ValueSource(doubles = {0.3, 3})
    void callsThatTheTargetCannotAnswerInTimeDoNotKeepItDown(double enough) {
        SimulatedNode node = node(Behaviour.REFUSES, Duration.ofSeconds(4), REPAIRED);
        Traffic longDeadline = new Traffic(enough, Duration.ofSeconds(30));
        Traffic shortDeadline = new Traffic(20, Duration.ofSeconds(3));
        Traffic shortTimeout = new Traffic(10 - enough, SECOND, Duration.ofSeconds(30));

        node.runUntil(REPAIRED, longDeadline, shortDeadline, shortTimeout);
        long bound = REPAIRED + openMillis(node) + MARGIN;
        node.runUntil(bound + 120_000, longDeadline, shortDeadline, shortTimeout);

        assertThat(firstSuccess(node, REPAIRED)).isLessThanOrEqualTo(bound);
        assertAllSucceed(node, longDeadline, bound);
    }

    @Test
    void halfOpenEndsAlsoIfTheTargetAnswersNoCallInTime() {
        SimulatedNode node = node(Behaviour.REFUSES, Duration.ofSeconds(4), REPAIRED);

        node.runUntil(REPAIRED + 300_000, new Traffic(30, Duration.ofSeconds(2)));

        assertThat(halfOpenMillis(node)).isNotEmpty().allMatch(millis -> millis <= MAX_HALF_OPEN_MILLIS);
    }

    @ParameterizedTest
    @ValueSource(longs = {20, 1_000, 4_000})
    void aRepairDuringHalfOpenIsNoticedAlthoughTheFirstProbesHang(long answerMillis) {
        AtomicLong repaired = new AtomicLong(Long.MAX_VALUE);
        SimulatedNode node = new SimulatedNode(
                DestinationPolicy.DEFAULTS,
                millis -> millis > BEGIN && millis < repaired.get()
                        ? Behaviour.HANGS
                        : Behaviour.answersAfter(Duration.ofMillis(answerMillis)));
        Traffic traffic = new Traffic(30, Duration.ofSeconds(30));
        node.runUntil(BEGIN + 60_000, traffic);
        while (node.breaker() != BreakerState.HALF_OPEN) {
            node.runUntil(node.millis() + 1, traffic);
        }

        repaired.set(node.millis() + 200);
        node.runUntil(repaired.get() + 10_000, traffic);

        assertThat(firstSuccess(node, repaired.get()) - repaired.get()).isLessThanOrEqualTo(1_000 + answerMillis);
        assertThat(node.breaker()).isEqualTo(BreakerState.CLOSED);
    }

    @Test
    void aTargetThatHangsGetsAFewProbesOnly() {
        SimulatedNode node = node(Behaviour.HANGS, SECOND, REPAIRED);

        node.runUntil(REPAIRED, new Traffic(100, Duration.ofSeconds(30)));

        long opened = node.changes().get(1).millis();
        long halfOpenSeconds =
                halfOpenMillis(node).stream().mapToLong(Long::longValue).sum() / 1_000;
        long rounds = halfOpenMillis(node).size();
        assertThat(node.attempts()).filteredOn(millis -> millis > opened).hasSizeBetween((int) rounds, (int)
                (rounds * BREAKER.halfOpenCalls() + halfOpenSeconds));
    }

    @Test
    void attemptsThatStartedInTheOutageDoNotOpenTheBreakerAfterIt() {
        long repaired = BEGIN + 21_000;
        SimulatedNode node = node(Behaviour.HANGS, SECOND, repaired);
        Traffic few = new Traffic(5, Duration.ofSeconds(30));
        Traffic patient = new Traffic(25, Duration.ofSeconds(30), Duration.ofSeconds(60));
        node.runUntil(repaired, few, patient);
        assertThat(node.breaker()).isEqualTo(BreakerState.OPEN);

        node.runUntil(repaired + 60_000, few);

        assertThat(node.changes())
                .extracting(Change::state)
                .containsExactly(BreakerState.CLOSED, BreakerState.OPEN, BreakerState.HALF_OPEN, BreakerState.CLOSED);
    }

    @ParameterizedTest
    @ValueSource(ints = {5, 30})
    void theAdaptiveLimitDoesNotKeepTheTargetDown(int deadlineSeconds) {
        SimulatedNode node = new SimulatedNode(
                RecordCopy.with(
                        DestinationPolicy.DEFAULTS,
                        "adaptiveConcurrency",
                        RecordCopy.with(AdaptiveConcurrencySettings.DEFAULTS, "enabled", true)),
                millis -> millis > BEGIN && millis <= REPAIRED ? Behaviour.HANGS : Behaviour.answersAfter(SECOND));
        Traffic traffic = new Traffic(2, Duration.ofSeconds(deadlineSeconds));

        node.runUntil(REPAIRED, traffic);
        long bound = REPAIRED + openMillis(node) + MARGIN;
        node.runUntil(bound + 120_000, traffic);

        assertThat(firstSuccess(node, REPAIRED)).isLessThanOrEqualTo(bound);
        assertAllSucceed(node, traffic, bound + 2 * MARGIN);
    }

    @ParameterizedTest
    @ValueSource(ints = {5, 30})
    void aDestinationThatIsCalledTooOftenAnswersAboutAsManyCallsAsItsLimitAllows(int deadlineSeconds) {
        SimulatedNode node = new SimulatedNode(
                RecordCopy.with(DestinationPolicy.DEFAULTS, "maxInFlight", 5),
                millis -> Behaviour.answersAfter(SECOND));

        node.runUntil(180_000, new Traffic(30, Duration.ofSeconds(deadlineSeconds)));

        assertThat(node.messages())
                .filteredOn(message -> message.succeeded() && message.endedMillis >= 120_000)
                .hasSizeBetween(60 * 5 / 2, 60 * 5);
    }

    private static SimulatedNode node(Behaviour outage, Duration answer, long repaired) {
        Behaviour well = Behaviour.answersAfter(answer);
        return new SimulatedNode(
                DestinationPolicy.DEFAULTS, millis -> millis > BEGIN && millis <= repaired ? outage : well);
    }

    /** Returns how long the breaker stays open, or stayed open before it became half-open; 0 if it is closed. */
    private static long openMillis(SimulatedNode node) {
        long millis = 0;
        for (Change change : node.changes()) {
            if (change.state() == BreakerState.OPEN) {
                millis = millis == 0
                        ? BREAKER.openDuration().toMillis()
                        : Math.min(2 * millis, BREAKER.maxOpenDuration().toMillis());
            } else if (change.state() == BreakerState.CLOSED) {
                millis = 0;
            }
        }
        return millis;
    }

    private static List<Long> halfOpenMillis(SimulatedNode node) {
        List<Long> all = new ArrayList<>();
        for (int i = 0; i < node.changes().size(); i++) {
            Change change = node.changes().get(i);
            if (change.state() == BreakerState.HALF_OPEN) {
                boolean last = i == node.changes().size() - 1;
                all.add((last ? node.millis() : node.changes().get(i + 1).millis()) - change.millis());
            }
        }
        return all;
    }

    /** Returns when a call succeeded for the first time after the target was well again. */
    private static long firstSuccess(SimulatedNode node, long repaired) {
        return node.messages().stream()
                .filter(message -> message.succeeded() && message.endedMillis > repaired)
                .mapToLong(message -> message.endedMillis)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /** Checks the calls that were sent from this time on, except those that may not have ended yet. */
    private static void assertAllSucceed(SimulatedNode node, Traffic traffic, long fromMillis) {
        assertThat(node.messages())
                .filteredOn(message -> message.traffic == traffic
                        && message.queuedMillis >= fromMillis
                        && message.queuedMillis
                                < node.millis() - traffic.deadline().toMillis())
                .isNotEmpty()
                .allMatch(Message::succeeded);
    }
}
