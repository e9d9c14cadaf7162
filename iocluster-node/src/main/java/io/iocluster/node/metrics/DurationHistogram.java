package io.iocluster.node.metrics;

import io.iocluster.node.metrics.NodeStats.DurationBucket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.AtomicHistogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * Histogram of durations up to an hour, with a resolution of one sixteenth. It is finer than the buckets of the metrics, and still
 * needs only a few kilobytes. Thread-safe and lock-free.
 */
final class DurationHistogram {

    private static final long NANOS_PER_MICRO = TimeUnit.MICROSECONDS.toNanos(1);
    private static final long MAX_MICROS = TimeUnit.HOURS.toMicros(1);

    private final AtomicHistogram micros = new AtomicHistogram(MAX_MICROS, 1);

    void record(long nanos) {
        micros.recordValue(Math.max(0, Math.min(MAX_MICROS, nanos / NANOS_PER_MICRO)));
    }

    List<DurationBucket> buckets() {
        List<DurationBucket> buckets = new ArrayList<>();
        // A copy, because a histogram cannot be iterated while it changes.
        for (HistogramIterationValue each : micros.copy().recordedValues()) {
            buckets.add(new DurationBucket(
                    each.getValueIteratedTo() * NANOS_PER_MICRO, each.getCountAddedInThisIterationStep()));
        }
        return buckets;
    }
}
