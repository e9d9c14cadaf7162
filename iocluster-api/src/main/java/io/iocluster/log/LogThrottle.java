package io.iocluster.log;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** Limits a log statement to one line in an interval and counts the suppressed ones. Thread-safe. */
public final class LogThrottle {

    /** Returned by {@link #pollSuppressed} for an event that must not be logged. */
    public static final long NOT_DUE = -1;

    private static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(10);

    private final long intervalNanos;
    private final AtomicLong due;
    private final LongAdder suppressed = new LongAdder();

    /**
     * Creates a throttle with an interval of ten seconds that lets the next line through.
     *
     * @param now nanoseconds of the monotonic clock that all calls use, such as {@link System#nanoTime}
     */
    public LogThrottle(long now) {
        this(now, DEFAULT_INTERVAL);
    }

    /**
     * Creates a throttle that lets the next line through.
     *
     * @param now nanoseconds of the monotonic clock that all calls use
     * @param interval minimum time between two lines
     */
    public LogThrottle(long now, Duration interval) {
        this.due = new AtomicLong(now);
        this.intervalNanos = interval.toNanos();
    }

    /**
     * Records an event.
     *
     * @param now nanoseconds of the same clock
     * @return the number of events suppressed since the last line if this one must be logged, else {@link #NOT_DUE}
     */
    public long pollSuppressed(long now) {
        long next = due.get();
        if (now - next >= 0 && due.compareAndSet(next, now + intervalNanos)) {
            return suppressed.sumThenReset();
        }
        suppressed.increment();
        return NOT_DUE;
    }
}
