package io.iocluster.cache;

import java.util.Map;

/**
 * A snapshot of the cache of one destination. Immutable.
 *
 * @param destination the destination's name
 * @param results calls since the start, by how they used the cache
 * @param refreshes background refreshes since the start
 * @param entries stored responses, and entries that say which request headers select one
 * @param evictions entries removed because the cache was full
 */
public record CacheStatus(
        String destination,
        Map<CacheResult, Long> results,
        long refreshes,
        long entries,
        long bytes,
        long maxBytes,
        long evictions) {

    public CacheStatus {
        results = Map.copyOf(results);
    }
}
