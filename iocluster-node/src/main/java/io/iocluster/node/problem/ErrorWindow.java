package io.iocluster.node.problem;

import io.iocluster.destination.AttemptTotals;
import io.iocluster.destination.DestinationStatus;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The attempts of each destination in the last minute, from totals that only grow. The window is 30 to 60 seconds long.
 * Confined to the monitor's thread.
 */
final class ErrorWindow {

    private static final long HALF_NANOS = TimeUnit.SECONDS.toNanos(30);

    private long rotatedNanos;
    private Map<String, AttemptTotals> start = Map.of();
    private Map<String, AttemptTotals> middle = Map.of();

    ErrorWindow(long nowNanos) {
        this.rotatedNanos = nowNanos;
    }

    /** Moves the window forward, if it is time. */
    void advance(List<DestinationStatus> destinations, long nowNanos) {
        if (nowNanos - rotatedNanos < HALF_NANOS) {
            return;
        }
        rotatedNanos = nowNanos;
        start = middle;
        middle = new HashMap<>();
        destinations.forEach(each -> middle.put(each.name(), each.attempts()));
    }

    /** Returns the attempts that ended in the window. */
    DestinationResults results(DestinationStatus destination, String credential) {
        AttemptTotals now = destination.attempts();
        AttemptTotals before = start.getOrDefault(destination.name(), AttemptTotals.NONE);
        if (now.ended() < before.ended()) {
            // The node had forgotten the destination in between.
            before = AttemptTotals.NONE;
        }
        return new DestinationResults(
                destination, now.ended() - before.ended(), now.errors() - before.errors(), credential);
    }
}
