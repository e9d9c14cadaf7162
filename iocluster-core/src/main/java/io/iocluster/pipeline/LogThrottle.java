package io.iocluster.pipeline;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** Lets one line of its kind in ten seconds into the log, for a flood of cases must not become a flood of lines. Any thread. */
final class LogThrottle {

    /** What {@link #untold} says of a case that is not to be logged. */
    static final long NOT_DUE = -1;

    private static final long INTERVAL_NANOS = Duration.ofSeconds(10).toNanos();

    private final AtomicLong due;
    private final LongAdder untold = new LongAdder();

    /**
     * The next line is due at once.
     *
     * @param now on {@link NodeClock#nanos}
     */
    LogThrottle(long now) {
        this.due = new AtomicLong(now);
    }

    /**
     * Takes note of a case.
     *
     * @param now on {@link NodeClock#nanos}
     * @return how many cases had no line since the last line, if this one is to have one; else {@link #NOT_DUE}
     */
    long pollSuppressed(long now) {
        long next = due.get();
        if (now - next >= 0 && due.compareAndSet(next, now + INTERVAL_NANOS)) {
            return untold.sumThenReset();
        }
        untold.increment();
        return NOT_DUE;
    }
}
