package io.iocluster.destination.limit;

import java.util.Locale;

/** Whether a destination's breaker lets calls through. */
public enum BreakerState {
    /** There is none. */
    DISABLED,
    CLOSED,
    OPEN,
    /** Lets its probes through alone. */
    HALF_OPEN;

    private final String word = name().toLowerCase(Locale.ROOT).replace('_', '-');

    /** What metrics and the admin API call it. */
    public String wireName() {
        return word;
    }
}
