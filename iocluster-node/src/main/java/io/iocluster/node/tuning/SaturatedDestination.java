package io.iocluster.node.tuning;

import io.iocluster.destination.DestinationStatus;
import io.iocluster.destination.limit.BreakerState;

/**
 * A destination that accepts no more calls now, even if the node has free slots.
 *
 * @param reason text for operators that continues the destination's name
 * @param calls calls in flight and in the wait queue
 */
public record SaturatedDestination(String destination, String reason, int calls) {

    /** Returns null if the destination accepts calls, or if only the slots of the node limit it. */
    public static SaturatedDestination of(DestinationStatus status) {
        String text = reason(status);
        int calls = status.inFlight() + status.waiting();
        return text == null ? null : new SaturatedDestination(status.name(), text, calls);
    }

    private static String reason(DestinationStatus status) {
        if (status.waiting() == 0) {
            return null;
        }
        if (status.breaker() == BreakerState.OPEN || status.breaker() == BreakerState.HALF_OPEN) {
            return "fails, and its breaker is " + status.breaker().wireName();
        }
        if (!status.pausedFor().isZero()) {
            return "asked for a pause of "
                    + ReasonFormat.seconds(status.pausedFor().toMillis() / 1_000.0);
        }
        if (status.limit() > 0 && status.inFlight() >= status.limit()) {
            return "has " + status.inFlight() + " calls in flight, which is its limit, and " + status.waiting()
                    + " in its queue";
        }
        return status.rate().isUnlimited()
                ? null
                : "is limited to " + status.nodeRate() + " and has " + status.waiting() + " calls in its queue";
    }

    @Override
    public String toString() {
        return destination + " " + reason;
    }
}
