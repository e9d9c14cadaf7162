package io.iocluster.cache;

import io.iocluster.status.StatusField;
import java.util.Map;

/**
 * A snapshot of the cache of one destination. Counts are since the start. Immutable.
 *
 * @param results calls by how they used the cache
 */
public record CacheStatus(
        @StatusField(doc = "an entry of `destinations`, or `destination-defaults` for all hosts without one")
        String destination,

        @StatusField(inline = true) Map<CacheResult, Long> results,
        @StatusField(doc = "refreshes in the background") long refreshes,

        @StatusField(doc = "stored responses, and entries that say which request headers select one")
        long entries,

        @StatusField(doc = "memory that the entries use") long bytes,
        @StatusField(doc = "`cache.max-bytes`") long maxBytes,

        @StatusField(doc = "entries removed because the cache was full")
        long evictions) {

    public CacheStatus {
        results = Map.copyOf(results);
    }
}
