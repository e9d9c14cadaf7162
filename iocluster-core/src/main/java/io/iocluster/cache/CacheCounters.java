package io.iocluster.cache;

import java.util.concurrent.atomic.LongAdder;

/** Counts how the calls to one destination used its cache. Thread-safe. */
public final class CacheCounters {

    private final LongAdder refreshes = new LongAdder();
    private final LongAdder[] counts = new LongAdder[CacheResult.values().length];

    public CacheCounters() {
        for (int i = 0; i < counts.length; i++) {
            counts[i] = new LongAdder();
        }
    }

    /** Counts one call. */
    public void count(CacheResult result) {
        counts[result.ordinal()].increment();
    }

    /** Counts a background refresh. */
    public void countRefresh() {
        refreshes.increment();
    }

    /** Returns the background refreshes since the start. */
    public long refreshes() {
        return refreshes.sum();
    }

    /** Returns the calls with this result since the start. */
    public long total(CacheResult result) {
        return counts[result.ordinal()].sum();
    }
}
