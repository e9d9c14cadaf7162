package io.iocluster.kafka.cluster;

import java.time.Duration;
import java.util.function.LongSupplier;

/** Counts the records of each second up to a limit. Confined to the channel's thread. */
final class RecordRate {

    private static final long SECOND_NANOS = Duration.ofSeconds(1).toNanos();

    private final int limit;
    private final LongSupplier nanoTime;
    private long startNanos;
    private int count;

    RecordRate(int limit, LongSupplier nanoTime) {
        this.limit = limit;
        this.nanoTime = nanoTime;
        this.startNanos = nanoTime.getAsLong();
    }

    /** Counts a record. Returns whether it is within the limit of this second. */
    boolean tryAcquire() {
        if (isExhausted()) {
            return false;
        }
        count++;
        return true;
    }

    /** Returns whether the limit of this second is reached. */
    boolean isExhausted() {
        long now = nanoTime.getAsLong();
        if (now - startNanos >= SECOND_NANOS) {
            startNanos = now;
            count = 0;
        }
        return count >= limit;
    }
}
