package io.iocluster.http.timeout;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Tests a wheel whose clock and ticks the test controls. */
class TimeoutWheelTest {

    private static final Duration TURN = Duration.ofNanos(TimeoutWheel.TICK_NANOS * TimeoutWheel.SLOTS);

    @AutoClose
    private final EmbeddedChannel channel = new EmbeddedChannel();

    private final List<TestAttempt> ended = new ArrayList<>();
    private long nanos = -5_000_000_000L;
    private final TimeoutWheel<TestAttempt> wheel = new TimeoutWheel<>(channel.eventLoop(), () -> nanos);

    @Test
    void endsAnAttemptWithinOneTickAfterItsTimeoutAndNeverBefore() {
        TestAttempt attempt = add(Duration.ofMillis(25));

        advance(Duration.ofMillis(24));
        assertThat(ended).isEmpty();

        advance(Duration.ofMillis(11));
        assertThat(ended).containsExactly(attempt);
    }

    @Test
    void doesNotEndAnAttemptThatWasRemoved() {
        TestAttempt first = add(Duration.ofMillis(25));
        TestAttempt second = add(Duration.ofMillis(25));
        TestAttempt third = add(Duration.ofMillis(25));

        wheel.remove(second);
        advance(Duration.ofMillis(40));

        assertThat(ended).containsExactlyInAnyOrder(first, third);
        assertThat(wheel.all()).isEmpty();
    }

    @Test
    void keepsAnAttemptWhoseTimeoutTakesSeveralTurns() {
        Duration timeout = TURN.multipliedBy(3).plusMillis(15);
        TestAttempt attempt = add(timeout);

        advance(timeout.minusMillis(1));
        assertThat(ended).isEmpty();
        assertThat(wheel.all()).containsExactly(attempt);

        advance(Duration.ofMillis(11));
        assertThat(ended).containsExactly(attempt);
    }

    @Test
    void endsEachAttemptIfTheLoopWasBusyForSeveralTurns() {
        for (int ms = 0; ms < 6_000; ms += 7) {
            add(Duration.ofMillis(ms));
        }

        nanos += TURN.multipliedBy(4).toNanos();
        wheel.tick();

        assertThat(ended).hasSize(858);
        assertThat(wheel.all()).isEmpty();
    }

    @Test
    void endsAnAttemptThatWasAddedAfterItsTimeoutAtTheNextTick() {
        add(Duration.ofMinutes(1));
        long started = nanos;
        advance(Duration.ofMillis(100));

        TestAttempt late = new TestAttempt(started + 1_000_000);
        wheel.add(late, started, 1_000_000);
        advance(Duration.ofMillis(10));

        assertThat(ended).containsExactly(late);
    }

    @Test
    void acceptsATimeoutWithoutEnd() {
        TestAttempt attempt = add(Duration.ofNanos(Long.MAX_VALUE));

        advance(TURN.multipliedBy(2));

        assertThat(wheel.all()).containsExactly(attempt);
    }

    @Test
    void endsNoAttemptThatTheEndOfAnotherHasRemoved() {
        TestAttempt victim = add(Duration.ofMillis(5));
        TestAttempt killer = add(Duration.ofMillis(5));
        killer.alsoEnds = victim;
        victim.alsoEnds = killer;

        advance(Duration.ofMillis(20));

        assertThat(ended).containsExactlyInAnyOrder(victim, killer);
        assertThat(wheel.all()).isEmpty();
    }

    @Test
    void endsAnAttemptInTimeAlthoughTheEndOfAnotherTookSeveralTicksAndStartedTheNext() {
        TestAttempt slow = add(Duration.ofMillis(5));
        TestAttempt next = add(Duration.ofMillis(25));
        slow.afterwards = () -> {
            nanos += Duration.ofMillis(50).toNanos();
            add(Duration.ofMinutes(1));
        };

        advance(Duration.ofMillis(10));
        assertThat(ended).containsExactly(slow);
        advance(Duration.ofMillis(10));

        assertThat(ended).containsExactly(slow, next);
    }

    @Test
    void endsTheOthersIfTheEndOfAnAttemptFails() {
        TestAttempt first = add(Duration.ofMillis(5));
        TestAttempt second = add(Duration.ofMillis(5));
        TestAttempt third = add(Duration.ofMillis(5));
        second.afterwards = () -> {
            throw new IllegalStateException("a defect");
        };

        advance(Duration.ofMillis(20));

        assertThat(ended).containsExactlyInAnyOrder(first, second, third);
    }

    @Test
    void endsRandomAttemptsInTimeWhileOthersComeAndGo() {
        Random random = new Random(7);
        List<TestAttempt> open = new ArrayList<>();
        for (int step = 0; step < 20_000; step++) {
            open.add(add(Duration.ofMillis(random.nextInt(12_000))));
            if (random.nextInt(3) == 0) {
                TestAttempt removed = open.remove(random.nextInt(open.size()));
                if (!removed.over) {
                    removed.end();
                }
            }
            advance(Duration.ofNanos(random.nextInt(4_000_000)));
            open.removeIf(each -> each.over);
            assertThat(ended).allMatch(each -> nanos - each.dueNanos >= 0);
            ended.clear();
            assertThat(open).allMatch(each -> nanos - each.dueNanos <= TimeoutWheel.TICK_NANOS);
        }
        assertThat(wheel.all()).containsExactlyInAnyOrderElementsOf(open);
    }

    private TestAttempt add(Duration timeout) {
        TestAttempt attempt = new TestAttempt(nanos + timeout.toNanos());
        wheel.add(attempt, nanos, timeout.toNanos());
        return attempt;
    }

    private void advance(Duration time) {
        long end = nanos + time.toNanos();
        while (nanos < end) {
            nanos = Math.min(end, nanos + 1_000_000);
            wheel.tick();
        }
    }

    private final class TestAttempt extends TimeoutWheel.Entry<TestAttempt> {

        private final long dueNanos;
        private TestAttempt alsoEnds;
        private Runnable afterwards = () -> {};
        private boolean over;

        private TestAttempt(long dueNanos) {
            this.dueNanos = dueNanos;
        }

        @Override
        protected void timeOut() {
            if (!over) {
                end();
                ended.add(this);
                if (alsoEnds != null) {
                    alsoEnds.timeOut();
                }
                afterwards.run();
            }
        }

        private void end() {
            over = true;
            wheel.remove(this);
        }
    }
}
