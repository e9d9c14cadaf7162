package io.iocluster.destination;

import static io.iocluster.destination.DestinationFixture.NO_BREAKER;
import static io.iocluster.destination.DestinationFixture.policy;
import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.destination.AttemptTotals.LastError;
import io.iocluster.destination.policy.AdaptiveConcurrencySettings;
import io.iocluster.message.ErrorCode;
import io.iocluster.settings.Rate;
import io.iocluster.settings.StatusPattern;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class DestinationTest {

    private static final String A = "a.example";
    private static final String B = "b.example";

    @Test
    void limitsCallsInFlightAndStartsQueuedCallsInOrder() {
        DestinationFixture scene = new DestinationFixture(policy(2, 10, NO_BREAKER));
        Destination<FakePendingCall> a = scene.at(A);
        FakePendingCall first = scene.admitted(a);
        scene.admitted(a);
        FakePendingCall third = scene.call();
        FakePendingCall fourth = scene.call();

        assertThat(a.offer(third)).isEqualTo(Admission.QUEUED);
        assertThat(a.offer(fourth)).isEqualTo(Admission.QUEUED);
        assertThat(scene.node.freeSlots).isEqualTo(998);
        assertThat(a.grantNext()).isNull();
        first.respond(200);

        assertThat(a.grantNext()).isSameAs(third);
        assertThat(a.grantNext()).isNull();
        assertThat(a.status().inFlight()).isEqualTo(2);
        assertThat(a.status().attempts().started()).isEqualTo(3);
        assertThat(a.status().waiting()).isEqualTo(1);
    }

    @Test
    void countsItsErrorsAndKeepsTheLast() {
        DestinationFixture scene = new DestinationFixture(policy(0, 10, NO_BREAKER));
        Destination<FakePendingCall> a = scene.at("a.example");
        assertThat(a.status().attempts()).isEqualTo(AttemptTotals.NONE);

        scene.admitted(a).fail(ErrorCode.CONNECT_REFUSED);
        assertThat(a.status().attempts().lastError().reason()).isEqualTo("connect-refused");
        scene.admitted(a).respond(401);
        scene.admitted(a).respond(200);
        scene.admitted(a).permit.abandonAttempt();
        scene.advance(Duration.ofSeconds(3));

        AttemptTotals attempts = a.status().attempts();
        assertThat(attempts).isEqualTo(new AttemptTotals(4, 3, 2, new LastError(401, null, Duration.ofSeconds(3))));
        assertThat(attempts.lastError().reason()).isEqualTo("status 401");
    }

    @Test
    void countsAnExpectedStatusAsNoError() {
        DestinationFixture scene = new DestinationFixture(policy(List.of(StatusPattern.parse("404"))));
        Destination<FakePendingCall> a = scene.at("a.example");

        scene.admitted(a).respond(404);
        assertThat(a.status().attempts()).isEqualTo(new AttemptTotals(1, 1, 0, null));
        scene.admitted(a).respond(405);

        assertThat(a.status().attempts().errors()).isEqualTo(1);
    }

    @Test
    void queuesACallThatIsNotYetDueIfTheQueueHasRoom() {
        DestinationFixture scene = new DestinationFixture(policy(2, 1, NO_BREAKER));
        Destination<FakePendingCall> a = scene.at(A);
        FakePendingCall early = scene.call();

        assertThat(a.offerDelayed(early, Duration.ofSeconds(1))).isEqualTo(Admission.QUEUED);

        assertThat(a.offerDelayed(scene.call(), Duration.ofSeconds(1))).isEqualTo(Admission.BACKPRESSURE);
        scene.advance(Duration.ofMillis(999));
        assertThat(scene.started).isEmpty();
        scene.advance(Duration.ofMillis(1));
        assertThat(scene.started).containsExactly(early);
    }

    @Test
    void takesASlotBackOnce() {
        DestinationFixture scene = new DestinationFixture(policy(2, 10, NO_BREAKER));
        Destination<FakePendingCall> a = scene.at(A);
        FakePendingCall call = scene.admitted(a);
        scene.admitted(a);

        call.respond(200);
        call.permit.abandonAttempt();
        call.respond(200);

        assertThat(a.status().inFlight()).isEqualTo(1);
    }

    @Test
    void mayUseAllSlotsWhileItIsCalledAlone() {
        DestinationFixture scene = new DestinationFixture(policy(0, 1_000, NO_BREAKER));
        scene.node.freeSlots = 300;
        Destination<FakePendingCall> a = scene.at(A);
        scene.advance(Duration.ofSeconds(1));

        for (int i = 0; i < 300; i++) {
            scene.admitted(a);
        }

        assertThat(a.offer(scene.call())).isEqualTo(Admission.QUEUED);
    }

    @Test
    void appliesBackpressureWhileAFullQueueMovesFast() {
        DestinationFixture scene = new DestinationFixture(policy(1, 1, NO_BREAKER));
        Destination<FakePendingCall> a = scene.at(A);
        scene.admitted(a);
        a.offer(scene.call());

        scene.advance(Duration.ofMillis(200));

        assertThat(a.offer(scene.call())).isEqualTo(Admission.BACKPRESSURE);
    }

    @Test
    void appliesBackpressureWhileAFullQueueWaitsForASlowTarget() {
        DestinationFixture scene = new DestinationFixture(policy(1, 1, NO_BREAKER));
        Destination<FakePendingCall> a = scene.at(A);
        scene.admitted(a);
        a.offer(scene.call());

        scene.advance(a.policy().timeout());

        assertThat(a.offer(scene.call())).isEqualTo(Admission.BACKPRESSURE);
    }

    @Test
    void rejectsCallsWhenAFullQueueStartsNoneForLongerThanTheTimeout() {
        DestinationFixture scene = new DestinationFixture(policy(1, 1, NO_BREAKER));
        Destination<FakePendingCall> a = scene.at(A);
        scene.admitted(a);
        a.offer(scene.call());

        scene.advance(a.policy().timeout().plusMillis(1));

        assertThat(a.offer(scene.call())).isEqualTo(Admission.QUEUE_FULL);
    }

    @Test
    void rejectsCallsOfAFullQueueWhenTheTargetAskedForAPause() {
        DestinationFixture scene = new DestinationFixture(policy(1, 1, NO_BREAKER));
        Destination<FakePendingCall> a = scene.at(A);
        FakePendingCall first = scene.admitted(a);
        a.offer(scene.call());
        first.respondBusy(503, "20");

        scene.advance(Duration.ofMillis(201));

        assertThat(a.offer(scene.call())).isEqualTo(Admission.QUEUE_FULL);
    }

    @Test
    void appliesBackpressureWhileASlowQueueHoldsUpNoOtherDestination() {
        DestinationFixture scene = new DestinationFixture(policy(1, 3, NO_BREAKER));
        Destination<FakePendingCall> a = scene.at(A);
        FakePendingCall first = slowQueue(scene, a);

        assertThat(first).isNotNull();
        assertThat(a.offer(scene.call())).isEqualTo(Admission.BACKPRESSURE);
    }

    @Test
    void appliesBackpressureWhileTheNodeHoldsUpTheQueue() {
        DestinationFixture scene = new DestinationFixture(policy(10, 2, NO_BREAKER));
        Destination<FakePendingCall> a = scene.at(A);
        scene.admitted(scene.at(B)).respond(200);
        scene.node.full = true;
        a.offer(scene.call());
        a.offer(scene.call());

        for (int i = 0; i < 30; i++) {
            scene.advance(Duration.ofMillis(10));
        }

        assertThat(a.offer(scene.call())).isEqualTo(Admission.BACKPRESSURE);
        scene.node.full = false;
        scene.advance(Duration.ofMillis(10));
        assertThat(scene.started).hasSize(2);
    }

    @Test
    void doesNotCountItselfAsHeldUp() {
        DestinationFixture scene = new DestinationFixture(policy(1, 2, NO_BREAKER));
        Destination<FakePendingCall> a = scene.at(A);
        FakePendingCall first = scene.admitted(a);
        scene.advance(Duration.ofMillis(100));
        a.offer(scene.call());
        a.offer(scene.call());

        scene.advanceWithoutTick(Duration.ofMillis(201));
        first.respond(200);
        a.grantNext();
        a.offer(scene.call());

        assertThat(a.offer(scene.call())).isEqualTo(Admission.BACKPRESSURE);
    }

    @Test
    void rejectsCallsOfASlowQueueIfOthersWouldBeHeldUp() {
        DestinationFixture scene = new DestinationFixture(policy(1, 3, NO_BREAKER));
        Destination<FakePendingCall> a = scene.at(A);
        scene.admitted(scene.at(B)).respond(200);
        slowQueue(scene, a);

        assertThat(a.offer(scene.call())).isEqualTo(Admission.QUEUE_FULL);
    }

    /**
     * Starts a call every 150 ms while three calls wait, the first of them for 300 ms. Returns the last started call.
     */
    private static FakePendingCall slowQueue(DestinationFixture scene, Destination<FakePendingCall> a) {
        FakePendingCall call = scene.admitted(a);
        for (int i = 0; i < 3; i++) {
            a.offer(scene.call());
        }
        for (int i = 0; i < 2; i++) {
            scene.advance(Duration.ofMillis(150));
            call.respond(200);
            call = a.grantNext();
            if (i == 0) {
                a.offer(scene.call());
            }
        }
        a.offer(scene.call());
        return call;
    }

    @Test
    void leavesQueueSpaceForOthers() {
        DestinationFixture scene = new DestinationFixture(policy(1, 1_000, NO_BREAKER));
        Destination<FakePendingCall> a = scene.at(A);
        scene.admitted(a);
        scene.node.freeQueueSlots = 1;

        assertThat(a.offer(scene.call())).isEqualTo(Admission.QUEUED);
        assertThat(a.offer(scene.call())).isEqualTo(Admission.BACKPRESSURE);
        assertThat(a.status().waiting()).isEqualTo(1);
    }

    @Test
    void holdsNoMoreBytesInItsQueueThanAreFree() {
        DestinationFixture scene = new DestinationFixture(policy(1, 1_000, NO_BREAKER));
        Destination<FakePendingCall> a = scene.at(A);
        scene.admitted(a);
        scene.node.freeBytes = 200;

        assertThat(a.offer(scene.call())).isEqualTo(Admission.QUEUED);
        assertThat(a.offer(scene.call())).isEqualTo(Admission.QUEUED);
        assertThat(a.offer(scene.call())).isEqualTo(Admission.BACKPRESSURE);
    }

    @Test
    void expiresCallsAtTheirDeadlineAndSkipsEndedCalls() {
        DestinationFixture scene = new DestinationFixture(policy(1, 10, NO_BREAKER));
        Destination<FakePendingCall> a = scene.at(A);
        FakePendingCall running = scene.admitted(a);
        FakePendingCall late = scene.call(Duration.ofSeconds(1));
        FakePendingCall ended = scene.call();
        FakePendingCall inTime = scene.call();
        a.offer(late);
        a.offer(ended);
        a.offer(inTime);
        ended.permit.tryEnd();

        scene.advance(Duration.ofSeconds(1));
        running.respond(200);

        assertThat(scene.expired).containsExactly(late);
        assertThat(a.grantNext()).isSameAs(inTime);
        assertThat(a.status().waiting()).isZero();
    }

    @Test
    void startsARetryWhenItIsDue() {
        DestinationFixture scene = new DestinationFixture(policy(1, 10, NO_BREAKER));
        Destination<FakePendingCall> a = scene.at(A);
        scene.admitted(a).respond(503);
        FakePendingCall call = scene.admitted(a);
        call.respond(503);

        assertThat(a.tryReserveRetry(call)).isTrue();
        assertThat(a.retry(call, Duration.ofSeconds(1))).isTrue();
        assertThat(scene.node.freeSlots).isEqualTo(1_000);
        scene.advance(Duration.ofMillis(999));
        assertThat(scene.started).isEmpty();
        scene.advance(Duration.ofMillis(1));

        assertThat(scene.started).containsExactly(call);
    }

    @Test
    void refusesRetriesBeyondTheBudgetAndCountsThem() {
        DestinationFixture scene = new DestinationFixture(policy(0, 10, NO_BREAKER));
        Destination<FakePendingCall> a = scene.at(A);
        FakePendingCall one = scene.admitted(a);
        FakePendingCall other = scene.admitted(a);

        assertThat(a.tryReserveRetry(one)).isTrue();
        assertThat(a.tryReserveRetry(other)).isFalse();
        assertThat(a.status().retryBudgetExhausted()).isEqualTo(1);
    }

    @Test
    void pausesForAsLongAsTheTargetAsks() {
        DestinationFixture scene = new DestinationFixture(policy(0, 10, NO_BREAKER));
        Destination<FakePendingCall> a = scene.at(A);
        scene.admitted(a).respondBusy(429, "5");
        FakePendingCall next = scene.call();

        assertThat(a.offer(next)).isEqualTo(Admission.QUEUED);
        assertThat(a.status().pausedFor()).isEqualTo(Duration.ofSeconds(5));
        scene.advance(Duration.ofMillis(4_999));
        assertThat(scene.started).isEmpty();
        scene.advance(Duration.ofMillis(1));

        assertThat(scene.started).containsExactly(next);
        assertThat(a.status().pausedFor()).isZero();
    }

    @Test
    void isNotPausedByAnAnswerWithoutRetryAfter() {
        DestinationFixture scene = new DestinationFixture(policy(0, 10, NO_BREAKER));
        Destination<FakePendingCall> a = scene.at(A);
        FakePendingCall call = scene.admitted(a);
        scene.advance(Duration.ofNanos(10));
        call.respond(200);

        // Another thread has read the clock before that answer came.
        scene.advance(Duration.ofNanos(-10));

        assertThat(a.offer(scene.call())).isEqualTo(Admission.ADMITTED);
    }

    @Test
    void startsNoMoreAttemptsThanItsRateAllows() {
        DestinationFixture scene = new DestinationFixture(
                policy(0, 10, NO_BREAKER, new Rate(2, Duration.ofHours(1)), AdaptiveConcurrencySettings.DEFAULTS));
        Destination<FakePendingCall> a = scene.at(A);
        scene.admitted(a).respond(200);
        FakePendingCall second = scene.call();
        FakePendingCall third = scene.call();

        assertThat(a.offer(second)).isEqualTo(Admission.QUEUED);
        a.offer(third);
        scene.advance(Duration.ofMinutes(29));
        assertThat(scene.started).isEmpty();
        scene.advance(Duration.ofMinutes(1));

        assertThat(scene.started).containsExactly(second);
    }

    @Test
    void lowersTheLimitAfterOverloadsAndNeverExceedsMaxInFlight() {
        DestinationFixture scene = new DestinationFixture(
                policy(12, 100, NO_BREAKER, Rate.UNLIMITED, new AdaptiveConcurrencySettings(true, 10, 2)));
        Destination<FakePendingCall> a = scene.at(A);
        assertThat(a.status().limit()).isEqualTo(10);

        for (int i = 0; i < 3; i++) {
            scene.admitted(a).respond(429);
        }
        assertThat(a.status().limit()).isEqualTo(7);
        for (int i = 0; i < 100; i++) {
            scene.admitted(a).respond(503);
        }

        assertThat(a.status().limit()).isEqualTo(2);
    }
}
