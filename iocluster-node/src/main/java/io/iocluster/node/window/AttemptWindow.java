package io.iocluster.node.window;

import io.iocluster.destination.AttemptTotals;
import io.iocluster.destination.DestinationStatus;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The attempts of each destination in a recent window, which is between one and two times {@code half} long. Confined to one thread. */
public final class AttemptWindow {

    private final HalfWindow<Totals> window;

    private record Totals(long nanos, Map<String, AttemptTotals> byName) {}

    /**
     * The attempts of a destination that ended in the window.
     *
     * @param seconds length of the window
     */
    public record Recent(DestinationStatus status, long ended, long errors, double seconds) {

        /** Returns the attempts that ended in a second. */
        public double perSecond() {
            return ended / seconds;
        }

        /** Returns the share of the attempts that were errors, from 0 to 1; null if none ended. */
        public Double errorShare() {
            return ended == 0 ? null : (Double) Math.min(1, (double) errors / ended);
        }
    }

    /** Starts a window with these totals, which is shorter at first. Later destinations start with zero. */
    public AttemptWindow(Duration half, List<DestinationStatus> destinations, long nanos) {
        this.window = new HalfWindow<>(half, totals(destinations, nanos), nanos);
    }

    /** Moves the window forward, if it is time, and returns what happened in it. */
    public List<Recent> advance(List<DestinationStatus> destinations, long nanos) {
        Totals start = window.advance(() -> totals(destinations, nanos), nanos);
        double seconds = Math.max(1e-3, (nanos - start.nanos()) / 1e9);
        return destinations.stream().map(each -> recent(each, start, seconds)).toList();
    }

    private static Recent recent(DestinationStatus destination, Totals start, double seconds) {
        AttemptTotals now = destination.attempts();
        AttemptTotals before = start.byName().getOrDefault(destination.name(), AttemptTotals.NONE);
        if (now.ended() < before.ended()) {
            // The node had forgotten the destination in between.
            before = AttemptTotals.NONE;
        }
        long ended = now.ended() - before.ended();
        return new Recent(destination, ended, Math.max(0, now.errors() - before.errors()), seconds);
    }

    private static Totals totals(List<DestinationStatus> destinations, long nanos) {
        Map<String, AttemptTotals> byName = new HashMap<>();
        destinations.forEach(each -> byName.put(each.name(), each.attempts()));
        return new Totals(nanos, byName);
    }
}
