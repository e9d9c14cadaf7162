package io.iocluster.cache.shared;

import java.util.Locale;

/** How a write to the shared cache ended. */
public enum SharedWriteResult {
    /** The store has confirmed it. */
    WRITTEN,
    /** The store answered with an error or not in time. */
    ERROR,
    /** It was not made: the breaker is open, the value is too large, or too many others are under way. */
    SKIPPED;

    private final String wireName = name().toLowerCase(Locale.ROOT);

    /** Returns the name used in metrics and status. */
    public String wireName() {
        return wireName;
    }
}
