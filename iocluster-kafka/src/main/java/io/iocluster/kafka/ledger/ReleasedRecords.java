package io.iocluster.kafka.ledger;

import io.iocluster.transport.outage.Backoff;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The released records of a partition, which are read again together after a backoff. Confined to the poll thread. All
 * times are monotonic nanoseconds unless stated otherwise.
 */
final class ReleasedRecords {

    /** Number of released records from which the whole partition waits, because the cause is not a single message. */
    private static final int BLOCKING_COUNT = 16;

    /** The backoff is reset if no record was released for this long. */
    private static final long BACKOFF_RESET_NANOS = Duration.ofSeconds(30).toNanos();

    private final Backoff backoff;
    private int count;
    private long retryAt;
    private long lastAdded;
    private long oldestTimestamp = Long.MAX_VALUE;

    ReleasedRecords(RandomGenerator random) {
        this.backoff = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(10), random);
    }

    /**
     * Adds a record. The first one starts the backoff.
     *
     * @param timestampMillis the timestamp of the record
     */
    void add(long timestampMillis, long now) {
        if (count == 0) {
            if (now - lastAdded > BACKOFF_RESET_NANOS) {
                backoff.reset();
            }
            retryAt = now + backoff.nextDelayNanos();
        }
        count++;
        lastAdded = now;
        oldestTimestamp = Math.min(oldestTimestamp, timestampMillis);
    }

    /** Removes all records, because they are read again. */
    void clear() {
        count = 0;
        oldestTimestamp = Long.MAX_VALUE;
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** Returns whether there are records and their backoff is over. */
    boolean isRetryDue(long now) {
        return count > 0 && now - retryAt >= 0;
    }

    /** Returns whether the number of records blocks the partition, so that no other record is offered. */
    boolean isBlocking() {
        return count >= BLOCKING_COUNT;
    }

    /** Returns the lowest record timestamp in epoch milliseconds; {@link Long#MAX_VALUE} if there are no records. */
    long oldestTimestamp() {
        return oldestTimestamp;
    }
}
