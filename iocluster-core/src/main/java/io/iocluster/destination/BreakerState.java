package io.iocluster.destination;

/** Whether a destination's breaker lets calls through. */
public enum BreakerState {
    /** There is none. */
    DISABLED,
    CLOSED,
    OPEN,
    /** Lets its probes through alone. */
    HALF_OPEN
}
