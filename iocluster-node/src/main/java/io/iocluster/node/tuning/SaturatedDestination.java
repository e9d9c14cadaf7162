package io.iocluster.node.tuning;

import io.iocluster.destination.DestinationStatus;
import io.iocluster.destination.limit.BreakerState;
import io.iocluster.destination.policy.DestinationPolicy;

/**
 * A destination that takes no more calls now, whatever room the node has.
 *
 * @param why for people, to be read after its name
 * @param held calls under way to it and in its line
 */
record SaturatedDestination(String destination, String reason, int calls) {

    /** Null for a destination that takes what comes, or that only the node's own places hold back. */
    static SaturatedDestination of(DestinationStatus status, DestinationPolicy policy) {
        String why = reason(status, policy);
        return why == null ? null : new SaturatedDestination(status.name(), why, status.inFlight() + status.waiting());
    }

    private static String reason(DestinationStatus status, DestinationPolicy policy) {
        if (status.waiting() == 0) {
            return null;
        }
        if (status.breaker() == BreakerState.OPEN || status.breaker() == BreakerState.HALF_OPEN) {
            return "fails, and its breaker is " + status.breaker().wireName();
        }
        if (!status.pausedFor().isZero()) {
            return "asked to be left alone for "
                    + ReasonFormat.seconds(status.pausedFor().toMillis() / 1_000.0);
        }
        if (status.limit() > 0 && status.inFlight() >= status.limit()) {
            return "has " + status.inFlight() + " calls in flight, which is its limit, and " + status.waiting()
                    + " in its line";
        }
        return policy.rate().isUnlimited()
                ? null
                : "may be called " + policy.rate() + " and has " + status.waiting() + " calls in its line";
    }

    @Override
    public String toString() {
        return destination + " " + reason;
    }
}
