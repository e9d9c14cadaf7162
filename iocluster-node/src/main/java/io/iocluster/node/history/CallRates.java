package io.iocluster.node.history;

import io.iocluster.node.metrics.NodeStats;
import io.iocluster.node.metrics.NodeStats.DurationBucket;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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

    private static final double NANOS_PER_MILLI = 1e6;

    static CallRates between(NodeStats before, NodeStats after, double seconds) {
        if (seconds <= 0) {
            return UNKNOWN;
        }
        Map<Long, Long> earlier = new HashMap<>();
        before.durations().forEach(each -> earlier.put(each.upperBoundNanos(), each.calls()));
        List<DurationBucket> recent = after.durations().stream()
                .map(each -> new DurationBucket(
                        each.upperBoundNanos(), each.calls() - earlier.getOrDefault(each.upperBoundNanos(), 0L)))
                .toList();
        long calls = recent.stream().mapToLong(DurationBucket::calls).sum();
        double cpuSeconds = after.cpuTime().minus(before.cpuTime()).toNanos() / 1e9;
        return new CallRates(
                calls / seconds,
                (after.failures() - before.failures()) / seconds,
                Math.min(1, cpuSeconds / seconds / after.cpus()),
                percentile(recent, calls, 0.5),
                percentile(recent, calls, 0.99));
    }

    /** Returns the bound of the first bucket that this share of the calls did not exceed. */
    private static double percentile(List<DurationBucket> buckets, long calls, double share) {
        long seen = 0;
        for (DurationBucket each : buckets) {
            seen += each.calls();
            if (seen > 0 && seen >= calls * share) {
                return each.upperBoundNanos() / NANOS_PER_MILLI;
            }
        }
        return Double.NaN;
    }
}
