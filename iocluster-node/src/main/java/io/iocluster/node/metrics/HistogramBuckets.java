package io.iocluster.node.metrics;

import java.time.Duration;
import java.util.Arrays;

/**
 * Upper bounds of the histogram buckets. From 1 ms on, each is at most three times the previous one, which bounds the error of a
 * quantile to that factor. There are few, because each is a series.
 */
final class HistogramBuckets {

    private static final int CALL_BOUNDS = 17;

    private static final Duration[] BOUNDS = {
        Duration.ofMillis(1),
        Duration.ofNanos(2_500_000),
        Duration.ofMillis(5),
        Duration.ofMillis(10),
        Duration.ofMillis(25),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(250),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofMillis(2_500),
        Duration.ofSeconds(5),
        Duration.ofSeconds(10),
        Duration.ofSeconds(30),
        Duration.ofMinutes(1),
        Duration.ofSeconds(150),
        Duration.ofMinutes(5),
        Duration.ofMinutes(15),
        Duration.ofMinutes(30),
        Duration.ofHours(1)
    };

    private HistogramBuckets() {}

    /** Returns the bounds for call durations, up to the longest deadline. */
    static Duration[] forCallDurations() {
        return Arrays.copyOf(BOUNDS, CALL_BOUNDS);
    }

    /** Returns the bounds for queue waits, up to one hour. */
    static Duration[] forQueueWaits() {
        return BOUNDS.clone();
    }
}
