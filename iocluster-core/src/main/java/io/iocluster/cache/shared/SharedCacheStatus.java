package io.iocluster.cache.shared;

import io.iocluster.status.StatusField;
import java.time.Duration;
import java.util.Map;

/**
 * A snapshot of the shared cache. Counts are since the start. Immutable.
 *
 * @param breakerOpen true also while the breaker is half-open
 * @param lookupNanos the sum of the durations of all lookups that were made
 */
public record SharedCacheStatus(
        @StatusField(doc = "`shared-cache.redis.url`") String address,
        @StatusField(doc = "whether the store is connected") boolean connected,

        @StatusField(doc = "whether lookups are skipped, because the last ones failed")
        boolean breakerOpen,

        @StatusField(name = "outageMs", doc = "how long the store has not been usable; 0 if it is")
        Duration outage,

        @StatusField(nullable = true, doc = "why the store is not usable; null if it is")
        String reason,

        @StatusField(nullable = true, doc = "why the last write failed; null if it succeeded")
        String writeProblem,

        @StatusField(doc = "lookups under way") int inFlight,
        @StatusField(doc = "writes under way") int writesInFlight,

        @StatusField(doc = "by result: `hit`, `miss`, `refused`, `timeout`, `error`, `skipped`")
        Map<SharedCacheResult, Long> lookups,

        @StatusField(doc = "by result: `written`, `error`, `skipped`")
        Map<SharedWriteResult, Long> writes,

        long lookupNanos) {

    private static final double NANOS_PER_MILLI = 1_000_000;

    public SharedCacheStatus {
        lookups = Map.copyOf(lookups);
        writes = Map.copyOf(writes);
    }

    @StatusField(doc = "mean duration of all lookups since the start")
    double meanLookupMs() {
        long count = lookupCount();
        return count == 0 ? 0 : lookupNanos / count / NANOS_PER_MILLI;
    }

    /** Returns the number of lookups that were made. */
    public long lookupCount() {
        return lookups.values().stream().mapToLong(Long::longValue).sum() - lookups.get(SharedCacheResult.SKIPPED);
    }
}
