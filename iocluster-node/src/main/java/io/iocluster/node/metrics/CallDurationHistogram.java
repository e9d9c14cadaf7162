package io.iocluster.node.metrics;

import io.iocluster.node.metrics.NodeStats.DurationBucket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.AtomicHistogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * How long all calls took, a sixteenth apart: finer than what {@link CallMeters} shows of each destination, and coarse enough
 * for a few kilobytes. Safe for use by several threads, without a lock.
 */
final class CallDurationHistogram {

    private static final long NANOS_A_MICRO = TimeUnit.MICROSECONDS.toNanos(1);
    private static final long HIGHEST_MICROS = TimeUnit.HOURS.toMicros(1);

    private final AtomicHistogram micros = new AtomicHistogram(HIGHEST_MICROS, 1);

    void record(long nanos) {
        micros.recordValue(Math.max(0, Math.min(HIGHEST_MICROS, nanos / NANOS_A_MICRO)));
    }

    List<DurationBucket> buckets() {
        List<DurationBucket> buckets = new ArrayList<>();
        // A copy, for what still grows cannot be gone through.
        for (HistogramIterationValue each : micros.copy().recordedValues()) {
            buckets.add(new DurationBucket(
                    each.getValueIteratedTo() * NANOS_A_MICRO, each.getCountAddedInThisIterationStep()));
        }
        return buckets;
    }
}
