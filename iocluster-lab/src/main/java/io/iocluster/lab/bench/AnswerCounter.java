package io.iocluster.lab.bench;

import io.iocluster.lab.bench.broker.AnswerPoller;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Waits for a number of answers by counting them, which takes almost no CPU. */
record AnswerCounter(RunningSubject running, AnswerPoller poller) {

    private static final Duration STALL_TIMEOUT = Duration.ofSeconds(60);
    private static final long COUNT_NANOS = Duration.ofMillis(20).toNanos();

    /**
     * Waits for at least {@code wanted} answers and returns their number. Fails if the subject ends or makes no
     * progress for a minute.
     */
    public long await(long wanted) {
        long last = -1;
        long progressed = System.nanoTime();
        while (true) {
            long count = poller.count();
            long now = System.nanoTime();
            if (count >= wanted) {
                return count;
            }
            if (count > last) {
                last = count;
                progressed = now;
            } else if (now - progressed > STALL_TIMEOUT.toNanos()) {
                throw running.failure("made no progress for a minute at " + count + " of " + wanted);
            }
            running.requireAlive();
            LockSupport.parkNanos(COUNT_NANOS);
        }
    }
}
