package io.iocluster.destination;

import static io.iocluster.destination.DestinationFixture.NO_BREAKER;
import static io.iocluster.destination.DestinationFixture.policy;
import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.destination.policy.BreakerSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests when waiting calls of a destination that is busy leave their queue. */
class WaitQueueTest {

    private final DestinationFixture fixture = new DestinationFixture(policy(1, 20_000, NO_BREAKER));
    private final Destination<FakePendingCall> a = fixture.at("a.example");

    @Test
    void aTickVisitsOnlyTheCallsThatAreDueOrExpired() {
        fixture.node.freeQueueSlots = 20_000;
        fixture.node.freeBytes = 10_000_000;
        fixture.admitted(a);
        List<FakePendingCall> waiting = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            FakePendingCall call = fixture.call(Duration.ofMillis(60_000 + i));
            waiting.add(call);
            boolean delayed = i % 2 == 1;
            assertThat(delayed ? a.offer(call, Duration.ofSeconds(30), false) : a.offer(call))
                    .isEqualTo(Admission.QUEUED);
        }
        waiting.forEach(call -> call.visits = 0);

        for (int tick = 0; tick < 100; tick++) {
            fixture.advance(Duration.ofMillis(10));
        }
        assertThat(waiting).allMatch(call -> call.visits == 0);
        assertThat(a.status().waiting()).isEqualTo(10_000);

        fixture.advance(Duration.ofMillis(59_009));

        assertThat(fixture.expired).containsExactlyInAnyOrderElementsOf(waiting.subList(0, 10));
        assertThat(a.status().waiting()).isEqualTo(9_990);
        fixture.advance(Duration.ofSeconds(10));
        assertThat(fixture.expired).containsExactlyInAnyOrderElementsOf(waiting);
        assertThat(a.status().waiting()).isZero();
    }

    @Test
    void aProbeIsTheReadyCallWithTheMostTime() {
        DestinationFixture failing = new DestinationFixture(policy(0, 10, BreakerSettings.DEFAULTS));
        Destination<FakePendingCall> b = failing.at("b.example");
        for (int i = 0; i < BreakerSettings.DEFAULTS.minimumCalls(); i++) {
            failing.admitted(b).respond(500);
        }
        FakePendingCall shortest = failing.call(Duration.ofSeconds(6));
        FakePendingCall longest = failing.call(Duration.ofSeconds(10));
        FakePendingCall middle = failing.call(Duration.ofSeconds(8));
        FakePendingCall notDue = failing.call(Duration.ofSeconds(60));
        b.offer(shortest);
        b.offer(longest);
        b.offer(middle);
        b.offer(notDue, Duration.ofSeconds(30), false);

        failing.advance(Duration.ofMillis(5_001));

        assertThat(failing.started).containsExactly(longest, middle, shortest);
    }

    @Test
    void expiresADelayedCallAtItsDeadlineBeforeItIsDue() {
        FakePendingCall call = fixture.call(Duration.ofSeconds(1));
        a.offer(call, Duration.ofSeconds(2), false);

        fixture.advance(Duration.ofMillis(999));
        assertThat(fixture.expired).isEmpty();
        fixture.advance(Duration.ofMillis(1));

        assertThat(fixture.expired).containsExactly(call);
        fixture.advance(Duration.ofSeconds(2));
        assertThat(fixture.started).isEmpty();
    }

    @Test
    void removesACallThatHasEnded() {
        fixture.admitted(a);
        FakePendingCall cancelled = fixture.call();
        FakePendingCall delayed = fixture.call();
        FakePendingCall last = fixture.call();
        a.offer(fixture.call());
        a.offer(cancelled);
        a.offer(last);
        a.offer(delayed, Duration.ofSeconds(1), false);

        for (FakePendingCall ended : List.of(cancelled, delayed, cancelled)) {
            ended.permit.tryEnd();
            a.removeWaiting(ended);
        }

        assertThat(a.status().waiting()).isEqualTo(2);
    }

    @Test
    void doesNotQueueACallThatHasEndedBefore() {
        fixture.admitted(a);
        FakePendingCall ended = fixture.call();
        ended.permit.tryEnd();

        a.offer(ended);

        assertThat(a.status().waiting()).isZero();
    }
}
