package io.iocluster.transport.outage;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Measures how long the broker has not answered a query. One thread makes one query at a time; any thread reads the time. */
public final class PendingQuery {

    private final LongSupplier nanoTime;

    /** Null if no query is under way. */
    private volatile Long startNanos;

    /** @param nanoTime the monotonic clock, in nanoseconds */
    public PendingQuery(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Starts to measure. */
    public void started() {
        startNanos = nanoTime.getAsLong();
    }

    /** Ends a query, whether it was answered or failed. */
    public void ended() {
        startNanos = null;
    }

    /** Returns how long the query that is under way has not been answered, in milliseconds; 0 if there is none. */
    public long millis() {
        Long start = startNanos;
        return start == null ? 0 : TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - start);
    }
}
