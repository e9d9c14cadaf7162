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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DestinationTest {

    private static final String A = "a.example";
    private static final String B = "b.example";

    @Test
    void limitsCallsInFlightAndStartsQueuedCallsInOrder() {
        DestinationFixture fixture = new DestinationFixture(policy(2, 10, NO_BREAKER));
        Destination<FakePendingCall> a = fixture.at(A);
        FakePendingCall first = fixture.admitted(a);
        fixture.admitted(a);
        FakePendingCall third = fixture.call();
        FakePendingCall fourth = fixture.call();

        assertThat(a.offer(third)).isEqualTo(Admission.QUEUED);
        assertThat(a.offer(fourth)).isEqualTo(Admission.QUEUED);
        assertThat(fixture.node.freeSlots).isEqualTo(998);
        assertThat(fixture.grantNext(a)).isNull();
        first.respond(200);

        assertThat(fixture.grantNext(a)).isSameAs(third);
        assertThat(fixture.grantNext(a)).isNull();
        assertThat(a.status().inFlight()).isEqualTo(2);
        assertThat(a.status().attempts().started()).isEqualTo(3);
        assertThat(a.status().waiting()).isEqualTo(1);
    }

    @Test
    void startsACallAtOnceIfItsSlotBecameFreeBeforeItWasQueued() {
        DestinationFixture fixture = new DestinationFixture(policy(2, 10, NO_BREAKER));
        Destination<FakePendingCall> a = fixture.at(A);
        fixture.node.freeSlots = 0;
        fixture.node.beforeSlot = () -> fixture.node.beforeSlot = () -> fixture.node.freeSlots = 1;

        assertThat(a.offer(fixture.call())).isEqualTo(Admission.QUEUED);

        assertThat(a.status().waiting()).isZero();
        assertThat(a.status().inFlight()).isEqualTo(1);
    }

    @Test
    void countsItsErrorsAndKeepsTheLast() {
        DestinationFixture fixture = new DestinationFixture(policy(0, 10, NO_BREAKER));
        Destination<FakePendingCall> a = fixture.at("a.example");
        assertThat(a.status().attempts()).isEqualTo(AttemptTotals.NONE);

        fixture.admitted(a).fail(ErrorCode.CONNECT_REFUSED);
        assertThat(a.status().attempts().lastError().reason()).isEqualTo("connect-refused");
        fixture.admitted(a).respond(401);
        fixture.admitted(a).respond(200);
        fixture.admitted(a).permit.abandonAttempt();
        fixture.advance(Duration.ofSeconds(3));

        AttemptTotals attempts = a.status().attempts();
        assertThat(attempts).isEqualTo(new AttemptTotals(4, 3, 2, new LastError(401, null, Duration.ofSeconds(3))));
        assertThat(attempts.lastError().reason()).isEqualTo("status 401");
    }

    @Test
    void countsAnExpectedStatusAsNoError() {
        DestinationFixture fixture = new DestinationFixture(policy(List.of(StatusPattern.parse("404"))));
        Destination<FakePendingCall> a = fixture.at("a.example");

        fixture.admitted(a).respond(404);
        assertThat(a.status().attempts()).isEqualTo(new AttemptTotals(1, 1, 0, null));
        fixture.admitted(a).respond(405);

        assertThat(a.status().attempts().errors()).isEqualTo(1);
    }

    @Test
    void queuesACallThatIsNotYetDueIfTheQueueHasRoom() {
        DestinationFixture fixture = new DestinationFixture(policy(2, 1, NO_BREAKER));
        Destination<FakePendingCall> a = fixture.at(A);
        FakePendingCall early = fixture.call();

        assertThat(a.offer(early, Duration.ofSeconds(1), false)).isEqualTo(Admission.QUEUED);

        assertThat(a.offer(fixture.call(), Duration.ofSeconds(1), false)).isEqualTo(Admission.BACKPRESSURE);
        fixture.advance(Duration.ofMillis(999));
        assertThat(fixture.started).isEmpty();
        fixture.advance(Duration.ofMillis(1));
        assertThat(fixture.started).containsExactly(early);
    }

    @Test
    void mayUseAllSlotsWhileItIsCalledAlone() {
        DestinationFixture fixture = new DestinationFixture(policy(0, 1_000, NO_BREAKER));
        fixture.node.freeSlots = 300;
        Destination<FakePendingCall> a = fixture.at(A);
        fixture.advance(Duration.ofSeconds(1));

        for (int i = 0; i < 300; i++) {
            fixture.admitted(a);
        }

        assertThat(a.offer(fixture.call())).isEqualTo(Admission.QUEUED);
    }

    @ParameterizedTest
    @CsvSource({"PT0.2S, BACKPRESSURE", "PT10S, BACKPRESSURE", "PT10.001S, QUEUE_FULL"})
    void rejectsCallsWhenAFullQueueStartsNoneForLongerThanTheTimeout(Duration waited, Admission admission) {
        DestinationFixture fixture = new DestinationFixture(policy(1, 1, NO_BREAKER));
        Destination<FakePendingCall> a = fixture.at(A);
        fixture.admitted(a);
        a.offer(fixture.call());

        assertThat(a.policy().timeout()).hasSeconds(10);
        fixture.advance(waited);

        assertThat(a.offer(fixture.call())).isEqualTo(admission);
    }

    @Test
    void rejectsCallsOfAFullQueueWhenTheTargetAskedForAPause() {
        DestinationFixture fixture = new DestinationFixture(policy(1, 1, NO_BREAKER));
        Destination<FakePendingCall> a = fixture.at(A);
        FakePendingCall first = fixture.admitted(a);
        a.offer(fixture.call());
        first.respondBusy(503, "20");

        fixture.advance(Duration.ofMillis(201));

        assertThat(a.offer(fixture.call())).isEqualTo(Admission.QUEUE_FULL);
    }

    @Test
    void appliesBackpressureWhileASlowQueueDelaysNoOtherDestination() {
        DestinationFixture fixture = new DestinationFixture(policy(1, 3, NO_BREAKER));
        Destination<FakePendingCall> a = fixture.at(A);
        FakePendingCall first = slowQueue(fixture, a);

        assertThat(first).isNotNull();
        assertThat(a.offer(fixture.call())).isEqualTo(Admission.BACKPRESSURE);
    }

    @Test
    void appliesBackpressureWhileTheNodeDelaysTheQueue() {
        DestinationFixture fixture = new DestinationFixture(policy(10, 2, NO_BREAKER));
        Destination<FakePendingCall> a = fixture.at(A);
        fixture.admitted(fixture.at(B)).respond(200);
        fixture.node.full = true;
        a.offer(fixture.call());
        a.offer(fixture.call());

        for (int i = 0; i < 30; i++) {
            fixture.advance(Duration.ofMillis(10));
        }

        assertThat(a.offer(fixture.call())).isEqualTo(Admission.BACKPRESSURE);
        fixture.node.full = false;
        fixture.advance(Duration.ofMillis(10));
        assertThat(fixture.started).hasSize(2);
    }

    @Test
    void doesNotCountItselfAsDelayed() {
        DestinationFixture fixture = new DestinationFixture(policy(1, 2, NO_BREAKER));
        Destination<FakePendingCall> a = fixture.at(A);
        FakePendingCall first = fixture.admitted(a);
        fixture.advance(Duration.ofMillis(100));
        a.offer(fixture.call());
        a.offer(fixture.call());

        fixture.advanceWithoutTick(Duration.ofMillis(201));
        first.respond(200);
        fixture.grantNext(a);
        a.offer(fixture.call());

        assertThat(a.offer(fixture.call())).isEqualTo(Admission.BACKPRESSURE);
    }

    @Test
    void rejectsCallsOfASlowQueueIfItWouldDelayOthers() {
        DestinationFixture fixture = new DestinationFixture(policy(1, 3, NO_BREAKER));
        Destination<FakePendingCall> a = fixture.at(A);
        fixture.admitted(fixture.at(B)).respond(200);
        slowQueue(fixture, a);

        assertThat(a.offer(fixture.call())).isEqualTo(Admission.QUEUE_FULL);
    }

    /**
     * Starts a call every 150 ms while three calls wait, the first of them for 300 ms. Returns the last started call.
     */
    private static FakePendingCall slowQueue(DestinationFixture fixture, Destination<FakePendingCall> a) {
        FakePendingCall call = fixture.admitted(a);
        for (int i = 0; i < 3; i++) {
            a.offer(fixture.call());
        }
        for (int i = 0; i < 2; i++) {
            fixture.advance(Duration.ofMillis(150));
            call.respond(200);
            call = fixture.grantNext(a);
            if (i == 0) {
                a.offer(fixture.call());
            }
        }
        a.offer(fixture.call());
        return call;
    }

    @Test
    void leavesQueueSpaceForOthers() {
        DestinationFixture fixture = new DestinationFixture(policy(1, 1_000, NO_BREAKER));
        Destination<FakePendingCall> a = fixture.at(A);
        fixture.admitted(a);
        fixture.node.freeQueueSlots = 1;

        assertThat(a.offer(fixture.call())).isEqualTo(Admission.QUEUED);
        assertThat(a.offer(fixture.call())).isEqualTo(Admission.BACKPRESSURE);
        assertThat(a.status().waiting()).isEqualTo(1);
    }

    @Test
    void holdsNoMoreBytesInItsQueueThanAreFree() {
        DestinationFixture fixture = new DestinationFixture(policy(1, 1_000, NO_BREAKER));
        Destination<FakePendingCall> a = fixture.at(A);
        fixture.admitted(a);
        fixture.node.freeBytes = 200;

        assertThat(a.offer(fixture.call())).isEqualTo(Admission.QUEUED);
        assertThat(a.offer(fixture.call())).isEqualTo(Admission.QUEUED);
        assertThat(a.offer(fixture.call())).isEqualTo(Admission.BACKPRESSURE);
    }

    @Test
    void startsARetryWhenItIsDue() {
        DestinationFixture fixture = new DestinationFixture(policy(1, 10, NO_BREAKER));
        Destination<FakePendingCall> a = fixture.at(A);
        fixture.admitted(a).respond(503);
        FakePendingCall call = fixture.admitted(a);
        call.respond(503);

        assertThat(a.tryReserveRetry(call)).isTrue();
        assertThat(a.retry(call, Duration.ofSeconds(1))).isTrue();
        assertThat(fixture.node.freeSlots).isEqualTo(1_000);
        fixture.advance(Duration.ofMillis(999));
        assertThat(fixture.started).isEmpty();
        fixture.advance(Duration.ofMillis(1));

        assertThat(fixture.started).containsExactly(call);
    }

    @Test
    void refusesRetriesBeyondTheBudgetAndCountsThem() {
        DestinationFixture fixture = new DestinationFixture(policy(0, 10, NO_BREAKER));
        Destination<FakePendingCall> a = fixture.at(A);
        FakePendingCall one = fixture.admitted(a);
        FakePendingCall other = fixture.admitted(a);

        assertThat(a.tryReserveRetry(one)).isTrue();
        assertThat(a.tryReserveRetry(other)).isFalse();
        assertThat(a.status().retryBudgetExhausted()).isEqualTo(1);
    }

    @Test
    void isNotPausedByAnAnswerWithoutRetryAfter() {
        DestinationFixture fixture = new DestinationFixture(policy(0, 10, NO_BREAKER));
        Destination<FakePendingCall> a = fixture.at(A);
        FakePendingCall call = fixture.admitted(a);
        fixture.advance(Duration.ofNanos(10));
        call.respond(200);

        // Another thread has read the clock before that answer came.
        fixture.advance(Duration.ofNanos(-10));

        assertThat(a.offer(fixture.call())).isEqualTo(Admission.ADMITTED);
    }

    @Test
    void lowersTheLimitAfterOverloadsAndNeverExceedsMaxInFlight() {
        DestinationFixture fixture = new DestinationFixture(
                policy(12, 100, NO_BREAKER, Rate.UNLIMITED, new AdaptiveConcurrencySettings(true, 10, 2)));
        Destination<FakePendingCall> a = fixture.at(A);
        assertThat(a.status().limit()).isEqualTo(10);

        for (int i = 0; i < 3; i++) {
            fixture.admitted(a).respond(429);
        }
        assertThat(a.status().limit()).isEqualTo(7);
        for (int i = 0; i < 100; i++) {
            fixture.admitted(a).respond(503);
        }

        assertThat(a.status().limit()).isEqualTo(2);
    }
}
