package io.iocluster.destination.limit;

import java.util.Locale;

/** State of a destination's circuit breaker. */
public enum BreakerState {
    /** The destination has no breaker. */
    DISABLED,
    CLOSED,
    OPEN,
    /** Lets only probes through. */
    HALF_OPEN;

    private final String wireName = name().toLowerCase(Locale.ROOT).replace('_', '-');

    /** Returns the name in metrics and the admin API. */
    public String wireName() {
        return wireName;
    }
}
