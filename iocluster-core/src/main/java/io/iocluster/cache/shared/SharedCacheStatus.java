package io.iocluster.cache.shared;

import java.time.Duration;
import java.util.Map;

/**
 * A snapshot of the shared cache. Immutable.
 *
 * @param address the configured URL
 * @param connected whether the store is connected
 * @param breakerOpen whether lookups are skipped because the last ones failed; true also while the breaker is half-open
 * @param outage how long it has not been usable; zero if it is
 * @param reason why it is not usable; null if it is
 * @param writeProblem why the last write failed; null if it succeeded
 * @param inFlight lookups under way
 * @param writesInFlight writes under way
 * @param lookups by result, since the start
 * @param writes by result, since the start
 * @param lookupNanos the sum of the durations of all lookups that were made
 */
public record SharedCacheStatus(
        String address,
        boolean connected,
        boolean breakerOpen,
        Duration outage,
        String reason,
        String writeProblem,
        int inFlight,
        int writesInFlight,
        Map<SharedCacheResult, Long> lookups,
        Map<SharedWriteResult, Long> writes,
        long lookupNanos) {

    public SharedCacheStatus {
        lookups = Map.copyOf(lookups);
        writes = Map.copyOf(writes);
    }

    /** Returns the number of lookups that were made. */
    public long lookupCount() {
        return lookups.values().stream().mapToLong(Long::longValue).sum() - lookups.get(SharedCacheResult.SKIPPED);
    }
}
