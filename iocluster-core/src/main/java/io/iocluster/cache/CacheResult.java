package io.iocluster.cache;

import java.util.Locale;

/** How one call used the cache. */
public enum CacheResult {
    /** A stored response answered it. */
    HIT,
    /** A response that is stored in the shared cache answered it. */
    SHARED,
    /** The target confirmed the stored response. */
    REVALIDATED,
    /** An expired response answered it, because the target failed. */
    STALE,
    /** The attempt of an identical call answered it. */
    COALESCED,
    /** Its own attempt answered it, or it failed. */
    MISS;

    private final String wireName = name().toLowerCase(Locale.ROOT);

    /** Returns the name used in metrics and status. */
    public String wireName() {
        return wireName;
    }
}
