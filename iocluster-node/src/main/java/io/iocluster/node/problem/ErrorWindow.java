package io.iocluster.node.problem;

import io.iocluster.destination.AttemptTotals;
import io.iocluster.destination.DestinationStatus;
import io.iocluster.node.window.HalfWindow;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The attempts of each destination in the last minute, from totals that only grow. The window is 30 to 60 seconds long.
 * Confined to the monitor's thread.
 */
final class ErrorWindow {

    private final HalfWindow<Map<String, AttemptTotals>> window;

    ErrorWindow(long nowNanos) {
        this.window = new HalfWindow<>(Duration.ofSeconds(30), Map.of(), nowNanos);
    }

    /** Moves the window forward, if it is time. */
    void advance(List<DestinationStatus> destinations, long nowNanos) {
        window.advance(() -> totals(destinations), nowNanos);
    }

    private static Map<String, AttemptTotals> totals(List<DestinationStatus> destinations) {
        Map<String, AttemptTotals> byName = new HashMap<>();
        destinations.forEach(each -> byName.put(each.name(), each.attempts()));
        return byName;
    }

    /** Returns the attempts that ended in the window. */
    DestinationResults results(DestinationStatus destination, String credential) {
        AttemptTotals now = destination.attempts();
        AttemptTotals before = window.start().getOrDefault(destination.name(), AttemptTotals.NONE);
        if (now.ended() < before.ended()) {
            // The node had forgotten the destination in between.
            before = AttemptTotals.NONE;
        }
        return new DestinationResults(
                destination, now.ended() - before.ended(), now.errors() - before.errors(), credential);
    }
}
