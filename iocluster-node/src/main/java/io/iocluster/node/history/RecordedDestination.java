package io.iocluster.node.history;

import io.iocluster.destination.AttemptTotals;
import io.iocluster.node.history.SampleRing.Samples;
import io.iocluster.node.metrics.NodeStats.DurationBucket;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/** The samples of one destination. Confined to the thread of the recorder, except {@link #samples}. */
final class RecordedDestination {

    /** Number of intervals that a sample covers, because a single destination may have few calls. */
    private static final int WINDOW = 3;
    /** Factor for each interval. Halves the rate in about a minute. */
    private static final double DECAY = 0.95;
    /** Number of samples for which trouble counts after it has ended: ten minutes. */
    private static final int TROUBLED_SAMPLES = 120;

    private final SampleRing ring;
    private final Deque<Totals> window = new ArrayDeque<>();
    private double decayedRate;
    private int troubledSamples;

    private record Totals(long nanos, AttemptTotals attempts, List<DurationBucket> durations) {}

    RecordedDestination(int capacity) {
        ring = new SampleRing(capacity, DestinationColumn.values().length);
    }

    /**
     * Adds a sample.
     *
     * @param attempts the totals; null if the node has forgotten the destination
     * @param durations the durations since the start; empty if they are unknown
     */
    void add(long epochMillis, long nanos, AttemptTotals attempts, List<DurationBucket> durations) {
        if (attempts == null
                || (!window.isEmpty()
                        && attempts.started() < window.getLast().attempts().started())) {
            // The counts restart at zero if the node has forgotten the destination in between.
            window.clear();
        }
        if (attempts != null) {
            window.addLast(new Totals(nanos, attempts, durations));
        }
        ring.add(epochMillis, row());
        if (window.size() > WINDOW) {
            window.removeFirst();
        }
    }

    private float[] row() {
        float[] row = new float[DestinationColumn.values().length];
        Arrays.fill(row, Float.NaN);
        if (window.size() < 2) {
            return row;
        }
        Totals before = window.getFirst();
        Totals after = window.getLast();
        double seconds = (after.nanos() - before.nanos()) / 1e9;
        long ended = after.attempts().ended() - before.attempts().ended();
        long errors = after.attempts().errors() - before.attempts().errors();
        RecentDurations recent = RecentDurations.between(before.durations(), after.durations());
        row[DestinationColumn.ATTEMPTS.ordinal()] =
                (float) ((after.attempts().started() - before.attempts().started()) / seconds);
        row[DestinationColumn.ERRORS.ordinal()] = ended == 0 ? Float.NaN : (float) errors / ended;
        row[DestinationColumn.P50.ordinal()] = (float) recent.percentileMillis(0.5);
        row[DestinationColumn.P99.ordinal()] = (float) recent.percentileMillis(0.99);
        return row;
    }

    /** Updates the importance of the destination with the attempts of the last interval. */
    void updateImportance(double attempts, boolean troubled) {
        decayedRate = Math.max(decayedRate * DECAY, attempts);
        troubledSamples = troubled ? TROUBLED_SAMPLES : Math.max(0, troubledSamples - 1);
    }

    /** Returns the maximum number of attempts in an interval, which decays with time. */
    double decayedRate() {
        return decayedRate;
    }

    /** Returns whether the destination is in trouble, or was so a short time ago. */
    boolean isTroubled() {
        return troubledSamples > 0;
    }

    Samples samples() {
        return ring.copy();
    }
}
