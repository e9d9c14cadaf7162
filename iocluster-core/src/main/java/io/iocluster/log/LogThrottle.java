package io.iocluster.log;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** Limits a log statement to one line in ten seconds and counts the suppressed ones. Thread-safe. */
public final class LogThrottle {

    /** Returned by {@link #pollSuppressed} for an event that must not be logged. */
    public static final long NOT_DUE = -1;

    private static final long INTERVAL_NANOS = Duration.ofSeconds(10).toNanos();

    private final AtomicLong due;
    private final LongAdder suppressed = new LongAdder();

    /**
     * Creates a throttle that lets the next line through.
     *
     * @param now nanoseconds of the monotonic clock that all calls use, such as {@link System#nanoTime}
     */
    public LogThrottle(long now) {
        this.due = new AtomicLong(now);
    }

    /**
     * Records an event.
     *
     * @param now nanoseconds of the same clock
     * @return the number of events suppressed since the last line if this one must be logged, else {@link #NOT_DUE}
     */
    public long pollSuppressed(long now) {
        long next = due.get();
        if (now - next >= 0 && due.compareAndSet(next, now + INTERVAL_NANOS)) {
            return suppressed.sumThenReset();
        }
        suppressed.increment();
        return NOT_DUE;
    }
}
