package io.iocluster.node.metrics;

import java.time.Duration;
import java.util.Arrays;

/**
 * The upper bounds of the histograms' buckets: from a millisecond on, each at most three times the one before, so that a
 * quantile that is read from them is never further off than that. Few, for each is a series of its own.
 */
final class HistogramBuckets {

    private static final int LONGEST_CALL = 17;

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

    /** From a call that is answered at once to one that takes the longest deadline. */
    static Duration[] forCallDurations() {
        return Arrays.copyOf(BOUNDS, LONGEST_CALL);
    }

    /** From a message that is read at once to a backlog of an hour. */
    static Duration[] forQueueWaits() {
        return BOUNDS.clone();
    }
}
