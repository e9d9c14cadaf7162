package io.iocluster.node.history;

import io.iocluster.node.metrics.NodeStats;

/**
 * Rates and percentiles of the calls between two totals. Immutable.
 *
 * @param cpu share of all CPUs, from 0 to 1
 * @param p50Millis NaN if no call ended
 * @param p99Millis NaN if no call ended
 */
record CallRates(double callsPerSecond, double failuresPerSecond, double cpu, double p50Millis, double p99Millis) {

    /** The rates are unknown before the second totals. */
    static final CallRates UNKNOWN = new CallRates(Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN);

    static CallRates between(NodeStats before, NodeStats after, double seconds) {
        if (seconds <= 0) {
            return UNKNOWN;
        }
        RecentDurations recent = RecentDurations.between(before.durations(), after.durations());
        double cpuSeconds = after.cpuTime().minus(before.cpuTime()).toNanos() / 1e9;
        return new CallRates(
                recent.calls() / seconds,
                (after.failures() - before.failures()) / seconds,
                Math.min(1, cpuSeconds / seconds / after.cpus()),
                recent.percentileMillis(0.5),
                recent.percentileMillis(0.99));
    }
}
