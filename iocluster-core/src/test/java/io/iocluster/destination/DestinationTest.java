package io.iocluster.destination;

import static io.iocluster.destination.DestinationsScene.NO_BREAKER;
import static io.iocluster.destination.DestinationsScene.policy;
import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.settings.Rate;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class DestinationTest {

    private static final String A = "a.example";
    private static final String B = "b.example";

    @Test
    void makesNoMoreCallsAtOnceThanItsCapAndThenThoseOfTheLineInTheirOrder() {
        DestinationsScene scene = new DestinationsScene(policy(2, 10, NO_BREAKER));
        Destination<FakeCall> a = scene.at(A);
        FakeCall first = scene.admitted(a);
        scene.admitted(a);
        FakeCall third = scene.call();
        FakeCall fourth = scene.call();

        assertThat(a.arrive(third)).isEqualTo(Arrival.WAITS);
        assertThat(a.arrive(fourth)).isEqualTo(Arrival.WAITS);
        assertThat(scene.room.places).isEqualTo(998);
        assertThat(a.next()).isNull();
        first.respond(200);

        assertThat(a.next()).isSameAs(third);
        assertThat(a.next()).isNull();
        assertThat(a.status().inFlight()).isEqualTo(2);
        assertThat(a.status().attempts()).isEqualTo(3);
        assertThat(a.status().waiting()).isEqualTo(1);
    }

    @Test
    void letsACallWaitThatComesBeforeItIsDueAsFarAsTheLineHasRoom() {
        DestinationsScene scene = new DestinationsScene(policy(2, 1, NO_BREAKER));
        Destination<FakeCall> a = scene.at(A);
        FakeCall early = scene.call();

        assertThat(a.arriveLater(early, Duration.ofSeconds(1))).isEqualTo(Arrival.WAITS);

        assertThat(a.arriveLater(scene.call(), Duration.ofSeconds(1))).isEqualTo(Arrival.AGAIN);
        scene.turn(Duration.ofMillis(999));
        assertThat(scene.begun).isEmpty();
        scene.turn(Duration.ofMillis(1));
        assertThat(scene.begun).containsExactly(early);
    }

    @Test
    void givesItsPlaceBackOnce() {
        DestinationsScene scene = new DestinationsScene(policy(2, 10, NO_BREAKER));
        Destination<FakeCall> a = scene.at(A);
        FakeCall call = scene.admitted(a);
        scene.admitted(a);

        call.respond(200);
        call.pass.abandon();
        call.respond(200);

        assertThat(a.status().inFlight()).isEqualTo(1);
    }

    @Test
    void mayHaveEveryPlaceWhileItIsCalledAlone() {
        DestinationsScene scene = new DestinationsScene(policy(0, 1_000, NO_BREAKER));
        scene.room.places = 300;
        Destination<FakeCall> a = scene.at(A);
        scene.turn(Duration.ofSeconds(1));

        for (int i = 0; i < 300; i++) {
            scene.admitted(a);
        }

        assertThat(a.arrive(scene.call())).isEqualTo(Arrival.WAITS);
    }

    @Test
    void leavesAThirdOfThePlacesFreeOnceAnotherIsCalledToo() {
        DestinationsScene scene = new DestinationsScene(policy(0, 1_000, NO_BREAKER));
        scene.room.places = 300;
        Destination<FakeCall> a = scene.at(A);
        FakeCall first = scene.admitted(a);
        scene.admitted(scene.at(B)).respond(200);
        scene.turn(Duration.ofSeconds(1));

        for (int i = 0; i < 400; i++) {
            a.arrive(scene.call());
        }

        assertThat(a.status().inFlight()).isEqualTo(200);
        assertThat(scene.at(B).arrive(scene.call())).isEqualTo(Arrival.ADMITTED);
        first.respond(200);
        scene.turn(Duration.ofSeconds(11));
        assertThat(scene.room.places).isZero();
    }

    @Test
    void asksForTheCallAgainWhileAFullLineMovesFast() {
        DestinationsScene scene = new DestinationsScene(policy(1, 1, NO_BREAKER));
        Destination<FakeCall> a = scene.at(A);
        scene.admitted(a);
        a.arrive(scene.call());

        scene.turn(Duration.ofMillis(200));

        assertThat(a.arrive(scene.call())).isEqualTo(Arrival.AGAIN);
    }

    @Test
    void asksAgainForTheCallOfALineThatWaitsForASlowTarget() {
        DestinationsScene scene = new DestinationsScene(policy(1, 1, NO_BREAKER));
        Destination<FakeCall> a = scene.at(A);
        scene.admitted(a);
        a.arrive(scene.call());

        scene.turn(a.policy().timeout());

        assertThat(a.arrive(scene.call())).isEqualTo(Arrival.AGAIN);
    }

    @Test
    void turnsCallsAwayOnceAFullLineStandsForLongerThanACallMayTake() {
        DestinationsScene scene = new DestinationsScene(policy(1, 1, NO_BREAKER));
        Destination<FakeCall> a = scene.at(A);
        scene.admitted(a);
        a.arrive(scene.call());

        scene.turn(a.policy().timeout().plusMillis(1));

        assertThat(a.arrive(scene.call())).isEqualTo(Arrival.FULL);
    }

    @Test
    void turnsCallsAwayOnceALineStandsWhoseTargetAskedForAPause() {
        DestinationsScene scene = new DestinationsScene(policy(1, 1, NO_BREAKER));
        Destination<FakeCall> a = scene.at(A);
        FakeCall first = scene.admitted(a);
        a.arrive(scene.call());
        first.respondBusy(503, "20");

        scene.turn(Duration.ofMillis(201));

        assertThat(a.arrive(scene.call())).isEqualTo(Arrival.FULL);
    }

    @Test
    void asksAgainForTheCallOfASlowLineAsLongAsNobodyElseIsHeldUp() {
        DestinationsScene scene = new DestinationsScene(policy(1, 3, NO_BREAKER));
        Destination<FakeCall> a = scene.at(A);
        FakeCall first = slowLine(scene, a);

        assertThat(first).isNotNull();
        assertThat(a.arrive(scene.call())).isEqualTo(Arrival.AGAIN);
    }

    @Test
    void asksAgainForTheCallOfALineThatTheNodeHoldsUp() {
        DestinationsScene scene = new DestinationsScene(policy(10, 2, NO_BREAKER));
        Destination<FakeCall> a = scene.at(A);
        scene.admitted(scene.at(B)).respond(200);
        scene.room.full = true;
        a.arrive(scene.call());
        a.arrive(scene.call());

        for (int i = 0; i < 30; i++) {
            scene.turn(Duration.ofMillis(10));
        }

        assertThat(a.arrive(scene.call())).isEqualTo(Arrival.AGAIN);
        scene.room.full = false;
        scene.turn(Duration.ofMillis(10));
        assertThat(scene.begun).hasSize(2);
    }

    @Test
    void isNotHeldUpByItself() {
        DestinationsScene scene = new DestinationsScene(policy(1, 2, NO_BREAKER));
        Destination<FakeCall> a = scene.at(A);
        FakeCall first = scene.admitted(a);
        scene.turn(Duration.ofMillis(100));
        a.arrive(scene.call());
        a.arrive(scene.call());

        scene.pass(Duration.ofMillis(201));
        first.respond(200);
        a.next();
        a.arrive(scene.call());

        assertThat(a.arrive(scene.call())).isEqualTo(Arrival.AGAIN);
    }

    @Test
    void turnsTheCallsOfASlowLineAwayWhereOthersWouldBeHeldUp() {
        DestinationsScene scene = new DestinationsScene(policy(1, 3, NO_BREAKER));
        Destination<FakeCall> a = scene.at(A);
        scene.admitted(scene.at(B)).respond(200);
        slowLine(scene, a);

        assertThat(a.arrive(scene.call())).isEqualTo(Arrival.FULL);
    }

    /** One call every 150 ms, three that wait, the first of them for 300 ms. */
    private static FakeCall slowLine(DestinationsScene scene, Destination<FakeCall> a) {
        FakeCall call = scene.admitted(a);
        for (int i = 0; i < 3; i++) {
            a.arrive(scene.call());
        }
        for (int i = 0; i < 2; i++) {
            scene.turn(Duration.ofMillis(150));
            call.respond(200);
            call = a.next();
            if (i == 0) {
                a.arrive(scene.call());
            }
        }
        a.arrive(scene.call());
        return call;
    }

    @Test
    void leavesRoomToWaitForOthers() {
        DestinationsScene scene = new DestinationsScene(policy(1, 1_000, NO_BREAKER));
        Destination<FakeCall> a = scene.at(A);
        scene.admitted(a);
        scene.room.waiting = 1;

        assertThat(a.arrive(scene.call())).isEqualTo(Arrival.WAITS);
        assertThat(a.arrive(scene.call())).isEqualTo(Arrival.AGAIN);
        assertThat(a.status().waiting()).isEqualTo(1);
    }

    @Test
    void holdsNoMoreBytesInItsLineThanAreFree() {
        DestinationsScene scene = new DestinationsScene(policy(1, 1_000, NO_BREAKER));
        Destination<FakeCall> a = scene.at(A);
        scene.admitted(a);
        scene.room.bytes = 200;

        assertThat(a.arrive(scene.call())).isEqualTo(Arrival.WAITS);
        assertThat(a.arrive(scene.call())).isEqualTo(Arrival.WAITS);
        assertThat(a.arrive(scene.call())).isEqualTo(Arrival.AGAIN);
    }

    @Test
    void takesOutWhatWaitedUntilItsDeadlineAndSkipsWhatHasEnded() {
        DestinationsScene scene = new DestinationsScene(policy(1, 10, NO_BREAKER));
        Destination<FakeCall> a = scene.at(A);
        FakeCall running = scene.admitted(a);
        FakeCall late = scene.call(Duration.ofSeconds(1));
        FakeCall ended = scene.call();
        FakeCall inTime = scene.call();
        a.arrive(late);
        a.arrive(ended);
        a.arrive(inTime);
        ended.ended = true;

        scene.turn(Duration.ofSeconds(1));
        running.respond(200);

        assertThat(scene.expired).containsExactly(late);
        assertThat(a.next()).isSameAs(inTime);
        assertThat(a.status().waiting()).isZero();
    }

    @Test
    void letsARetryWaitUntilItIsDueAndThenTakeItsTurn() {
        DestinationsScene scene = new DestinationsScene(policy(1, 10, NO_BREAKER));
        Destination<FakeCall> a = scene.at(A);
        scene.admitted(a).respond(503);
        FakeCall call = scene.admitted(a);
        call.respond(503);

        assertThat(a.mayRetry(call)).isTrue();
        assertThat(a.retry(call, Duration.ofSeconds(1))).isTrue();
        assertThat(scene.room.places).isEqualTo(1_000);
        scene.turn(Duration.ofMillis(999));
        assertThat(scene.begun).isEmpty();
        scene.turn(Duration.ofMillis(1));

        assertThat(scene.begun).containsExactly(call);
    }

    @Test
    void refusesRetriesBeyondTheBudgetAndCountsThem() {
        DestinationsScene scene = new DestinationsScene(policy(0, 10, NO_BREAKER));
        Destination<FakeCall> a = scene.at(A);
        FakeCall one = scene.admitted(a);
        FakeCall other = scene.admitted(a);

        assertThat(a.mayRetry(one)).isTrue();
        assertThat(a.mayRetry(other)).isFalse();
        assertThat(a.status().retriesRefused()).isEqualTo(1);
    }

    @Test
    void leavesATargetAloneForAsLongAsItAsks() {
        DestinationsScene scene = new DestinationsScene(policy(0, 10, NO_BREAKER));
        Destination<FakeCall> a = scene.at(A);
        scene.admitted(a).respondBusy(429, "5");
        FakeCall next = scene.call();

        assertThat(a.arrive(next)).isEqualTo(Arrival.WAITS);
        assertThat(a.status().pausedFor()).isEqualTo(Duration.ofSeconds(5));
        scene.turn(Duration.ofMillis(4_999));
        assertThat(scene.begun).isEmpty();
        scene.turn(Duration.ofMillis(1));

        assertThat(scene.begun).containsExactly(next);
        assertThat(a.status().pausedFor()).isZero();
    }

    @Test
    void isNotPausedByAnAnswerThatAsksForNothing() {
        DestinationsScene scene = new DestinationsScene(policy(0, 10, NO_BREAKER));
        Destination<FakeCall> a = scene.at(A);
        FakeCall call = scene.admitted(a);
        scene.turn(Duration.ofNanos(10));
        call.respond(200);

        // Another thread has read the clock before that answer came.
        scene.turn(Duration.ofNanos(-10));

        assertThat(a.arrive(scene.call())).isEqualTo(Arrival.ADMITTED);
    }

    @Test
    void beginsNoMoreAttemptsThanItsRateAllows() {
        DestinationsScene scene = new DestinationsScene(
                policy(0, 10, NO_BREAKER, new Rate(2, Duration.ofHours(1)), AdaptiveSettings.DEFAULTS));
        Destination<FakeCall> a = scene.at(A);
        scene.admitted(a).respond(200);
        FakeCall second = scene.call();
        FakeCall third = scene.call();

        assertThat(a.arrive(second)).isEqualTo(Arrival.WAITS);
        a.arrive(third);
        scene.turn(Duration.ofMinutes(29));
        assertThat(scene.begun).isEmpty();
        scene.turn(Duration.ofMinutes(1));

        assertThat(scene.begun).containsExactly(second);
    }

    @Test
    void shrinksWithOverloadsAndNeverExceedsItsCap() {
        DestinationsScene scene =
                new DestinationsScene(policy(12, 100, NO_BREAKER, Rate.UNLIMITED, new AdaptiveSettings(true, 10, 2)));
        Destination<FakeCall> a = scene.at(A);
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
