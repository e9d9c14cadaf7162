package io.iocluster.node.cluster;

import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** The rates at which requests arrived at a target, in windows of five seconds. Immutable. */
record ArrivalRates(long[] arrivals) {

    static final long WINDOW_NANOS = 5_000_000_000L;

    private static final long SECOND_NANOS = 1_000_000_000L;

    /** The windows move by this. */
    private static final long STEP_NANOS = 10_000_000L;

    /** Returns the largest number of requests a second in any window between these times. */
    double max(long from, long to) {
        return windows(from, to).mapToDouble(this::perSecond).max().orElseThrow();
    }

    /** Returns the smallest number of requests a second in any window between these times. */
    double min(long from, long to) {
        return windows(from, to).mapToDouble(this::perSecond).min().orElseThrow();
    }

    /** Returns the number of requests in each second between these times. */
    String eachSecond(long from, long to) {
        return LongStream.iterate(from, start -> start + SECOND_NANOS <= to, start -> start + SECOND_NANOS)
                .mapToObj(start -> Integer.toString(count(start, start + SECOND_NANOS)))
                .collect(Collectors.joining(" "));
    }

    private static LongStream windows(long from, long to) {
        return LongStream.iterate(from, start -> start + WINDOW_NANOS <= to, start -> start + STEP_NANOS);
    }

    private double perSecond(long start) {
        return count(start, start + WINDOW_NANOS) * (double) SECOND_NANOS / WINDOW_NANOS;
    }

    private int count(long from, long to) {
        return indexOf(to) - indexOf(from);
    }

    private int indexOf(long nanos) {
        int found = Arrays.binarySearch(arrivals, nanos);
        return found < 0 ? -found - 1 : found;
    }
}
