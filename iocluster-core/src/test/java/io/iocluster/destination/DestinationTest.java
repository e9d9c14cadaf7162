package io.iocluster.destination;

import static io.iocluster.destination.DestinationFixture.NO_BREAKER;
import static io.iocluster.destination.DestinationFixture.policy;
import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.destination.policy.AdaptiveConcurrencySettings;
import io.iocluster.settings.Rate;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class DestinationTest {

    private static final String A = "a.example";
    private static final String B = "b.example";

    @Test
    void makesNoMoreCallsAtOnceThanItsCapAndThenThoseOfTheLineInTheirOrder() {
        DestinationFixture scene = new DestinationFixture(policy(2, 10, NO_BREAKER));
        Destination<FakePendingCall> a = scene.at(A);
        FakePendingCall first = scene.admitted(a);
        scene.admitted(a);
        FakePendingCall third = scene.call();
        FakePendingCall fourth = scene.call();

        assertThat(a.offer(third)).isEqualTo(Admission.QUEUED);
        assertThat(a.offer(fourth)).isEqualTo(Admission.QUEUED);
        assertThat(scene.room.places).isEqualTo(998);
        assertThat(a.grantNext()).isNull();
        first.respond(200);

        assertThat(a.grantNext()).isSameAs(third);
        assertThat(a.grantNext()).isNull();
        assertThat(a.status().inFlight()).isEqualTo(2);
        assertThat(a.status().attempts()).isEqualTo(3);
        assertThat(a.status().waiting()).isEqualTo(1);
    }

    @Test
    void letsACallWaitThatComesBeforeItIsDueAsFarAsTheLineHasRoom() {
        DestinationFixture scene = new DestinationFixture(policy(2, 1, NO_BREAKER));
        Destination<FakePendingCall> a = scene.at(A);
        FakePendingCall early = scene.call();

        assertThat(a.offerDelayed(early, Duration.ofSeconds(1))).isEqualTo(Admission.QUEUED);

        assertThat(a.offerDelayed(scene.call(), Duration.ofSeconds(1))).isEqualTo(Admission.BACKPRESSURE);
        scene.turn(Duration.ofMillis(999));
        assertThat(scene.begun).isEmpty();
        scene.turn(Duration.ofMillis(1));
        assertThat(scene.begun).containsExactly(early);
    }

    @Test
    void givesItsPlaceBackOnce() {
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
    void mayHaveEveryPlaceWhileItIsCalledAlone() {
        DestinationFixture scene = new DestinationFixture(policy(0, 1_000, NO_BREAKER));
        scene.room.places = 300;
        Destination<FakePendingCall> a = scene.at(A);
        scene.turn(Duration.ofSeconds(1));

        for (int i = 0; i < 300; i++) {
            scene.admitted(a);
        }

        assertThat(a.offer(scene.call())).isEqualTo(Admission.QUEUED);
    }

    @Test
    void leavesAThirdOfThePlacesFreeOnceAnotherIsCalledToo() {
        DestinationFixture scene = new DestinationFixture(policy(0, 1_000, NO_BREAKER));
        scene.room.places = 300;
        Destination<FakePendingCall> a = scene.at(A);
        FakePendingCall first = scene.admitted(a);
        scene.admitted(scene.at(B)).respond(200);
        scene.turn(Duration.ofSeconds(1));

        for (int i = 0; i < 400; i++) {
            a.offer(scene.call());
        }

        assertThat(a.status().inFlight()).isEqualTo(200);
        assertThat(scene.at(B).offer(scene.call())).isEqualTo(Admission.ADMITTED);
        first.respond(200);
        scene.turn(Duration.ofSeconds(11));
        assertThat(scene.room.places).isZero();
    }

    @Test
    void asksForTheCallAgainWhileAFullLineMovesFast() {
        DestinationFixture scene = new DestinationFixture(policy(1, 1, NO_BREAKER));
        Destination<FakePendingCall> a = scene.at(A);
        scene.admitted(a);
        a.offer(scene.call());

        scene.turn(Duration.ofMillis(200));

        assertThat(a.offer(scene.call())).isEqualTo(Admission.BACKPRESSURE);
    }

    @Test
    void asksAgainForTheCallOfALineThatWaitsForASlowTarget() {
        DestinationFixture scene = new DestinationFixture(policy(1, 1, NO_BREAKER));
        Destination<FakePendingCall> a = scene.at(A);
        scene.admitted(a);
        a.offer(scene.call());

        scene.turn(a.policy().timeout());

        assertThat(a.offer(scene.call())).isEqualTo(Admission.BACKPRESSURE);
    }

    @Test
    void turnsCallsAwayOnceAFullLineStandsForLongerThanACallMayTake() {
        DestinationFixture scene = new DestinationFixture(policy(1, 1, NO_BREAKER));
        Destination<FakePendingCall> a = scene.at(A);
        scene.admitted(a);
        a.offer(scene.call());

        scene.turn(a.policy().timeout().plusMillis(1));

        assertThat(a.offer(scene.call())).isEqualTo(Admission.QUEUE_FULL);
    }

    @Test
    void turnsCallsAwayOnceALineStandsWhoseTargetAskedForAPause() {
        DestinationFixture scene = new DestinationFixture(policy(1, 1, NO_BREAKER));
        Destination<FakePendingCall> a = scene.at(A);
        FakePendingCall first = scene.admitted(a);
        a.offer(scene.call());
        first.respondBusy(503, "20");

        scene.turn(Duration.ofMillis(201));

        assertThat(a.offer(scene.call())).isEqualTo(Admission.QUEUE_FULL);
    }

    @Test
    void asksAgainForTheCallOfASlowLineAsLongAsNobodyElseIsHeldUp() {
        DestinationFixture scene = new DestinationFixture(policy(1, 3, NO_BREAKER));
        Destination<FakePendingCall> a = scene.at(A);
        FakePendingCall first = slowLine(scene, a);

        assertThat(first).isNotNull();
        assertThat(a.offer(scene.call())).isEqualTo(Admission.BACKPRESSURE);
    }

    @Test
    void asksAgainForTheCallOfALineThatTheNodeHoldsUp() {
        DestinationFixture scene = new DestinationFixture(policy(10, 2, NO_BREAKER));
        Destination<FakePendingCall> a = scene.at(A);
        scene.admitted(scene.at(B)).respond(200);
        scene.room.full = true;
        a.offer(scene.call());
        a.offer(scene.call());

        for (int i = 0; i < 30; i++) {
            scene.turn(Duration.ofMillis(10));
        }

        assertThat(a.offer(scene.call())).isEqualTo(Admission.BACKPRESSURE);
        scene.room.full = false;
        scene.turn(Duration.ofMillis(10));
        assertThat(scene.begun).hasSize(2);
    }

    @Test
    void isNotHeldUpByItself() {
        DestinationFixture scene = new DestinationFixture(policy(1, 2, NO_BREAKER));
        Destination<FakePendingCall> a = scene.at(A);
        FakePendingCall first = scene.admitted(a);
        scene.turn(Duration.ofMillis(100));
        a.offer(scene.call());
        a.offer(scene.call());

        scene.pass(Duration.ofMillis(201));
        first.respond(200);
        a.grantNext();
        a.offer(scene.call());

        assertThat(a.offer(scene.call())).isEqualTo(Admission.BACKPRESSURE);
    }

    @Test
    void turnsTheCallsOfASlowLineAwayWhereOthersWouldBeHeldUp() {
        DestinationFixture scene = new DestinationFixture(policy(1, 3, NO_BREAKER));
        Destination<FakePendingCall> a = scene.at(A);
        scene.admitted(scene.at(B)).respond(200);
        slowLine(scene, a);

        assertThat(a.offer(scene.call())).isEqualTo(Admission.QUEUE_FULL);
    }

    /** One call every 150 ms, three that wait, the first of them for 300 ms. */
    private static FakePendingCall slowLine(DestinationFixture scene, Destination<FakePendingCall> a) {
        FakePendingCall call = scene.admitted(a);
        for (int i = 0; i < 3; i++) {
            a.offer(scene.call());
        }
        for (int i = 0; i < 2; i++) {
            scene.turn(Duration.ofMillis(150));
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
    void leavesRoomToWaitForOthers() {
        DestinationFixture scene = new DestinationFixture(policy(1, 1_000, NO_BREAKER));
        Destination<FakePendingCall> a = scene.at(A);
        scene.admitted(a);
        scene.room.waiting = 1;

        assertThat(a.offer(scene.call())).isEqualTo(Admission.QUEUED);
        assertThat(a.offer(scene.call())).isEqualTo(Admission.BACKPRESSURE);
        assertThat(a.status().waiting()).isEqualTo(1);
    }

    @Test
    void holdsNoMoreBytesInItsLineThanAreFree() {
        DestinationFixture scene = new DestinationFixture(policy(1, 1_000, NO_BREAKER));
        Destination<FakePendingCall> a = scene.at(A);
        scene.admitted(a);
        scene.room.bytes = 200;

        assertThat(a.offer(scene.call())).isEqualTo(Admission.QUEUED);
        assertThat(a.offer(scene.call())).isEqualTo(Admission.QUEUED);
        assertThat(a.offer(scene.call())).isEqualTo(Admission.BACKPRESSURE);
    }

    @Test
    void takesOutWhatWaitedUntilItsDeadlineAndSkipsWhatHasEnded() {
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

        scene.turn(Duration.ofSeconds(1));
        running.respond(200);

        assertThat(scene.expired).containsExactly(late);
        assertThat(a.grantNext()).isSameAs(inTime);
        assertThat(a.status().waiting()).isZero();
    }

    @Test
    void letsARetryWaitUntilItIsDueAndThenTakeItsTurn() {
        DestinationFixture scene = new DestinationFixture(policy(1, 10, NO_BREAKER));
        Destination<FakePendingCall> a = scene.at(A);
        scene.admitted(a).respond(503);
        FakePendingCall call = scene.admitted(a);
        call.respond(503);

        assertThat(a.tryReserveRetry(call)).isTrue();
        assertThat(a.retry(call, Duration.ofSeconds(1))).isTrue();
        assertThat(scene.room.places).isEqualTo(1_000);
        scene.turn(Duration.ofMillis(999));
        assertThat(scene.begun).isEmpty();
        scene.turn(Duration.ofMillis(1));

        assertThat(scene.begun).containsExactly(call);
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
    void leavesATargetAloneForAsLongAsItAsks() {
        DestinationFixture scene = new DestinationFixture(policy(0, 10, NO_BREAKER));
        Destination<FakePendingCall> a = scene.at(A);
        scene.admitted(a).respondBusy(429, "5");
        FakePendingCall next = scene.call();

        assertThat(a.offer(next)).isEqualTo(Admission.QUEUED);
        assertThat(a.status().pausedFor()).isEqualTo(Duration.ofSeconds(5));
        scene.turn(Duration.ofMillis(4_999));
        assertThat(scene.begun).isEmpty();
        scene.turn(Duration.ofMillis(1));

        assertThat(scene.begun).containsExactly(next);
        assertThat(a.status().pausedFor()).isZero();
    }

    @Test
    void isNotPausedByAnAnswerThatAsksForNothing() {
        DestinationFixture scene = new DestinationFixture(policy(0, 10, NO_BREAKER));
        Destination<FakePendingCall> a = scene.at(A);
        FakePendingCall call = scene.admitted(a);
        scene.turn(Duration.ofNanos(10));
        call.respond(200);

        // Another thread has read the clock before that answer came.
        scene.turn(Duration.ofNanos(-10));

        assertThat(a.offer(scene.call())).isEqualTo(Admission.ADMITTED);
    }

    @Test
    void beginsNoMoreAttemptsThanItsRateAllows() {
        DestinationFixture scene = new DestinationFixture(
                policy(0, 10, NO_BREAKER, new Rate(2, Duration.ofHours(1)), AdaptiveConcurrencySettings.DEFAULTS));
        Destination<FakePendingCall> a = scene.at(A);
        scene.admitted(a).respond(200);
        FakePendingCall second = scene.call();
        FakePendingCall third = scene.call();

        assertThat(a.offer(second)).isEqualTo(Admission.QUEUED);
        a.offer(third);
        scene.turn(Duration.ofMinutes(29));
        assertThat(scene.begun).isEmpty();
        scene.turn(Duration.ofMinutes(1));

        assertThat(scene.begun).containsExactly(second);
    }

    @Test
    void shrinksWithOverloadsAndNeverExceedsItsCap() {
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
