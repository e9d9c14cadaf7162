package io.iocluster.node.history;

import io.iocluster.node.metrics.NodeStats.DurationBucket;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The durations of the calls between two totals. Immutable.
 *
 * @param buckets shortest first
 * @param calls number of calls
 */
record RecentDurations(List<DurationBucket> buckets, long calls) {

    private static final double NANOS_PER_MILLI = 1e6;

    static RecentDurations between(List<DurationBucket> before, List<DurationBucket> after) {
        Map<Long, Long> earlier = new HashMap<>();
        before.forEach(each -> earlier.put(each.upperBoundNanos(), each.calls()));
        List<DurationBucket> recent = after.stream()
                .map(each -> new DurationBucket(
                        each.upperBoundNanos(), each.calls() - earlier.getOrDefault(each.upperBoundNanos(), 0L)))
                .toList();
        return new RecentDurations(
                recent, recent.stream().mapToLong(DurationBucket::calls).sum());
    }

    /** Returns the bound of the first bucket that this share of the calls did not exceed; NaN if there was no call. */
    double percentileMillis(double share) {
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
