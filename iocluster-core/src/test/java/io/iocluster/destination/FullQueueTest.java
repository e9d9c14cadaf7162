package io.iocluster.destination;

import static io.iocluster.destination.DestinationFixture.NO_BREAKER;
import static io.iocluster.destination.DestinationFixture.policy;
import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.destination.SimulatedDestinations.SimulatedBehaviour;
import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.message.ErrorCode;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/** Which calls fail when more of them wait than the queues hold: those of a destination that delays others, and no others. */
class FullQueueTest {

    private static final String A = "a.example";
    private static final String B = "b.example";

    @Test
    void aBacklogForManyHostsLosesNoCallWhileTheNodeAndTheHostsAreCold() {
        Random random = new Random(17);
        SimulatedDestinations node = node((host, millis) -> {
            double cold = 60 + 900 * Math.exp(-millis / 1_500.0);
            return SimulatedBehaviour.answers((int) (cold * (0.6 + 0.8 * random.nextDouble())));
        });

        for (int i = 0; i < 5_000; i++) {
            node.put("host" + random.nextInt(300));
        }
        runUntilAllEnded(node);

        assertThat(rejected(node)).hasSize(0);
    }

    @Test
    void aBacklogForTwoDestinationsLosesNoCallAlthoughOneIsFaster() {
        SimulatedDestinations node = node((host, millis) -> SimulatedBehaviour.answers(host.equals("fast") ? 20 : 200));

        for (int i = 0; i < 10_000; i++) {
            node.put(i % 4 == 0 ? "fast" : "normal");
        }
        runUntilAllEnded(node);

        assertThat(rejected(node)).hasSize(0);
    }

    @Test
    void aDestinationWithSlowAnswersDoesNotDelayAFastOne() {
        SimulatedDestinations node =
                node((host, millis) -> SimulatedBehaviour.answers(host.equals("fast") ? 17 : 2_000));

        for (int i = 0; node.millis() < 20_000; i++) {
            node.put("slow");
            if (i % 10 == 0) {
                node.put("fast");
            }
            node.step();
        }

        assertThat(rejected(node)).isNotEmpty().containsOnly("slow");
        assertThat(longestStall(node, "fast")).isLessThanOrEqualTo(100);
    }

    @Test
    void aDestinationThatStopsToAnswerDoesNotDelayAFastOneForLong() {
        SimulatedDestinations node = node((host, millis) -> host.equals("fast") || millis < 3_000
                ? SimulatedBehaviour.answers(17)
                : SimulatedBehaviour.failsAfter(30_000, ErrorCode.TIMEOUT));

        for (int i = 0; node.millis() < 20_000; i++) {
            node.put("stopped");
            if (i % 10 == 0) {
                node.put("fast");
            }
            node.step();
        }

        assertThat(rejected(node)).isNotEmpty().containsOnly("stopped");
        assertThat(longestStall(node, "fast")).isLessThanOrEqualTo(100);
    }

    @Test
    void aDestinationThatStopsToAnswerDoesNotDelayAFastOneAlthoughAnotherHostAtItsAddressAnswers() {
        SimulatedDestinations node = new SimulatedDestinations(
                300,
                DestinationPolicy.DEFAULTS,
                (host, millis) -> !host.equals("stopped") || millis < 3_000
                        ? SimulatedBehaviour.answers(17)
                        : SimulatedBehaviour.failsAfter(30_000, ErrorCode.TIMEOUT),
                host -> host.equals("fast") ? "192.0.2.1" : "192.0.2.2");

        for (int i = 0; node.millis() < 20_000; i++) {
            node.put("stopped");
            if (i % 10 == 0) {
                node.put("fast");
                node.put("sibling");
            }
            node.step();
        }

        assertThat(rejected(node)).isNotEmpty().containsOnly("stopped");
        assertThat(longestStall(node, "fast")).isLessThanOrEqualTo(500);
    }

    @Test
    void appliesBackpressureIfTheNodeRatherThanALimitKeepsAFastDestinationFromStartingCalls() {
        DestinationFixture fixture = fullQueue(0);

        assertThat(fixture.at(A).offer(fixture.call())).isEqualTo(Admission.BACKPRESSURE);
    }

    @Test
    void rejectsCallsOfAFastDestinationWhoseOwnLimitWouldDelayOthers() {
        DestinationFixture fixture = fullQueue(2);

        assertThat(fixture.at(A).offer(fixture.call())).isEqualTo(Admission.QUEUE_FULL);
    }

    @Test
    void rejectsCallsOfADestinationThatHasStoppedToAnswer() {
        DestinationFixture fixture = fullQueue(0);
        fixture.advance(Duration.ofMillis(601));

        assertThat(fixture.at(A).offer(fixture.call())).isEqualTo(Admission.QUEUE_FULL);
    }

    @Test
    void aDestinationThatHasNeverAnsweredIsNotDelayed() {
        DestinationFixture fixture = new DestinationFixture(policy(1, 1, NO_BREAKER));
        Destination<FakePendingCall> a = fixture.at(A);
        fixture.admitted(fixture.at(B)).fail(ErrorCode.CONNECT_REFUSED);
        fixture.admitted(a);
        a.offer(fixture.call());

        fixture.advance(Duration.ofSeconds(1));

        assertThat(a.offer(fixture.call())).isEqualTo(Admission.BACKPRESSURE);
    }

    /** Fills the queue of A, which answered at once 400 ms ago; its head has waited for 400 ms. B was called and has nothing to do. */
    private static DestinationFixture fullQueue(int maxInFlight) {
        DestinationFixture fixture = new DestinationFixture(policy(maxInFlight, 1, NO_BREAKER));
        fixture.node.freeSlots = 3;
        fixture.admitted(fixture.at(B)).respond(200);
        Destination<FakePendingCall> a = fixture.at(A);
        fixture.admitted(a).respond(200);
        fixture.admitted(a);
        fixture.admitted(a);
        assertThat(a.offer(fixture.call())).isEqualTo(Admission.QUEUED);
        fixture.advance(Duration.ofMillis(400));
        return fixture;
    }

    private static SimulatedDestinations node(BiFunction<String, Integer, SimulatedBehaviour> targets) {
        return new SimulatedDestinations(300, DestinationPolicy.DEFAULTS, targets, host -> null);
    }

    private static void runUntilAllEnded(SimulatedDestinations node) {
        while (node.millis() < 60_000
                && node.calls().stream().anyMatch(call -> call.endedMillis < 0 && !call.rejected)) {
            node.step();
        }
        assertThat(node.calls()).allMatch(call -> call.endedMillis >= 0 || call.rejected);
    }

    private static int longestStall(SimulatedDestinations node, String host) {
        return node.calls().stream()
                .filter(call -> call.host.equals(host))
                .mapToInt(call -> call.acceptedMillis - call.queuedMillis)
                .max()
                .orElseThrow();
    }

    /** Returns the host of each call that failed. */
    private static List<String> rejected(SimulatedDestinations node) {
        return node.calls().stream()
                .filter(call -> call.rejected)
                .map(call -> call.host)
                .toList();
    }
}
