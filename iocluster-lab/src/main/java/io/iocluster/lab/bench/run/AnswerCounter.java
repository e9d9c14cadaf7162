package io.iocluster.lab.bench.run;

import io.iocluster.lab.bench.queue.AnswerPoller;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Waits for a subject's answers by their number alone, which costs the machine next to nothing. */
public record AnswerCounter(RunningSubject running, AnswerPoller seen) {

    private static final Duration STALL = Duration.ofSeconds(60);
    private static final long COUNT_NANOS = Duration.ofMillis(20).toNanos();

    /** Returns how many there are, once there are so many; fails if the subject ends or none comes for a minute. */
    public long await(long wanted) {
        long last = -1;
        long progressed = System.nanoTime();
        while (true) {
            long count = seen.count();
            long now = System.nanoTime();
            if (count >= wanted) {
                return count;
            }
            if (count > last) {
                last = count;
                progressed = now;
            } else if (now - progressed > STALL.toNanos()) {
                throw running.failure("stands still at " + count + " of " + wanted);
            }
            running.requireAlive();
            LockSupport.parkNanos(COUNT_NANOS);
        }
    }
}
