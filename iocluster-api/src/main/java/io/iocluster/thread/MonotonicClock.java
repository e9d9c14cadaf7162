package io.iocluster.thread;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.function.LongSupplier;

/** Adapts a monotonic clock for libraries. Its instants start at the epoch; only their differences have a meaning. Thread-safe. */
public final class MonotonicClock extends Clock {

    private final LongSupplier nanos;
    private final long startNanos;

    /** @param nanos returns monotonic nanoseconds */
    public MonotonicClock(LongSupplier nanos) {
        this.nanos = nanos;
        this.startNanos = nanos.getAsLong();
    }

    @Override
    public Instant instant() {
        return Instant.EPOCH.plusNanos(nanos.getAsLong() - startNanos);
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        throw new UnsupportedOperationException("a monotonic clock has no time zone");
    }
}
