package io.iocluster.node.warmup;

import java.util.ArrayDeque;
import java.util.Deque;

/** Decides when latencies have stopped falling. Confined to one thread. */
final class LatencyTrend {

    private final int windows;
    private final double improvement;
    private final Deque<Long> latest = new ArrayDeque<>();
    private long bestBefore = Long.MAX_VALUE;

    /**
     * Creates a trend.
     *
     * @param windows the trend is flat when none of the last {@code windows} latencies was an improvement
     * @param improvement a latency is an improvement if it is lower than the best earlier one by at least this share
     */
    LatencyTrend(int windows, double improvement) {
        this.windows = windows;
        this.improvement = improvement;
    }

    /** Adds the latency of the next window. */
    void add(long latency) {
        latest.add(latency);
        if (latest.size() > windows) {
            bestBefore = Math.min(bestBefore, latest.remove());
        }
    }

    /** Returns whether none of the latest windows was an improvement. */
    boolean isFlat() {
        return bestBefore < Long.MAX_VALUE
                && latest.stream().allMatch(latency -> latency > bestBefore * (1 - improvement));
    }
}
