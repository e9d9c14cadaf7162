package io.iocluster.cache.shared;

import java.util.Locale;

/** How a lookup in the shared cache ended. */
public enum SharedCacheResult {
    /** It found a response that this node may use. */
    HIT,
    /** It found nothing. */
    MISS,
    /** It found a value that is damaged, forged, of another version, or against this node's rules. */
    REFUSED,
    /** The store did not answer in time. */
    TIMEOUT,
    /** The store answered with an error, or is not connected. */
    ERROR,
    /** It was not made, because the breaker is open or too many others are under way. */
    SKIPPED;

    private final String wireName = name().toLowerCase(Locale.ROOT);

    /** Returns the name used in metrics and status. */
    public String wireName() {
        return wireName;
    }
}
