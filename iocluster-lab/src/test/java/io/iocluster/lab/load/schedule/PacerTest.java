package io.iocluster.lab.load.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PacerTest {

    private static final long MILLI = 1_000_000;

    @Test
    void aSlowCallDelaysNeitherTheDueTimesNorTheNumberOfTheNextCalls() {
        VirtualClock clock = new VirtualClock();
        List<Long> dues = new ArrayList<>();
        List<Long> sent = new ArrayList<>();
        Pacer pacer = pacer(clock, Schedule.constant(1_000, 10), (number, due) -> {
            dues.add(due);
            sent.add(clock.nanoTime());
            if (number == 2) {
                clock.parkNanos(5 * MILLI);
            }
        });

        pacer.start();
        pacer.awaitSent();

        assertThat(dues)
                .containsExactly(
                        0L, MILLI, 2 * MILLI, 3 * MILLI, 4 * MILLI, 5 * MILLI, 6 * MILLI, 7 * MILLI, 8 * MILLI,
                        9 * MILLI);
        assertThat(sent)
                .containsExactly(
                        0L, MILLI, 2 * MILLI, 7 * MILLI, 7 * MILLI, 7 * MILLI, 7 * MILLI, 7 * MILLI, 8 * MILLI,
                        9 * MILLI);
    }

    @Test
    void aStoppedPacerSendsNothingMore() {
        VirtualClock clock = new VirtualClock();
        List<Long> sent = new ArrayList<>();
        Pacer[] pacer = new Pacer[1];
        pacer[0] = pacer(clock, Schedule.constant(1_000, 1_000_000), (number, due) -> {
            sent.add(number);
            if (number == 2) {
                pacer[0].stop();
            }
        });

        pacer[0].start();
        pacer[0].awaitSent();

        assertThat(sent).containsExactly(0L, 1L, 2L);
    }

    @Test
    void aPacerWhoseSinkFailsEndsWithTheFailure() {
        Pacer pacer = pacer(new VirtualClock(), Schedule.constant(1_000, 10), (number, due) -> {
            throw new IllegalStateException("broken");
        });

        pacer.start();

        assertThat(pacer.ended())
                .failsWithin(java.time.Duration.ofSeconds(10))
                .withThrowableThat()
                .withMessageContaining("broken");
    }

    private static Pacer pacer(LoadClock clock, Schedule schedule, Pacer.CallSink sink) {
        return new Pacer("test-pacer", clock, 0, Pacer.queueOf(schedule, sink));
    }

    /** A clock that advances while its thread waits. */
    private static final class VirtualClock implements LoadClock {

        private final AtomicLong now = new AtomicLong();

        @Override
        public long nanoTime() {
            return now.get();
        }

        @Override
        public void parkNanos(long nanos) {
            now.addAndGet(nanos);
        }
    }
}
