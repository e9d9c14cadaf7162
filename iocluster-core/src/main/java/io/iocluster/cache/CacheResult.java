package io.iocluster.cache;

import io.iocluster.status.StatusField;
import java.util.Locale;

/** How one call used the cache. */
public enum CacheResult {
    /** A stored response answered it. */
    @StatusField(doc = "calls answered by a stored response")
    HIT,
    /** A response that is stored in the shared cache answered it. */
    @StatusField(doc = "calls answered by a response from the cache that nodes share")
    SHARED,
    /** The target confirmed the stored response. */
    @StatusField(doc = "calls for which the target confirmed the stored response")
    REVALIDATED,
    /** An expired response answered it, because the target failed. */
    @StatusField(doc = "calls answered by an expired response, because the target failed")
    STALE,
    /** The attempt of an identical call answered it. */
    @StatusField(doc = "calls answered by the attempt of an identical call")
    COALESCED,
    /** Its own attempt answered it, or it failed. */
    @StatusField(doc = "all other calls that could use the cache")
    MISS;

    private final String wireName = name().toLowerCase(Locale.ROOT);

    /** Returns the name used in metrics and status. */
    public String wireName() {
        return wireName;
    }
}
