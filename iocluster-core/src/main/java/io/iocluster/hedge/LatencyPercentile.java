package io.iocluster.hedge;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * Estimates a percentile of the last 1,000 to 2,000 durations. Guarded by the owner's lock.
 *
 * <p>It counts durations in buckets, eight for each power of two, so the estimate is at most an eighth too high. Counts are exact
 * and expire as a whole: fading counts would round the few slow ones away, and the percentile depends on these.
 */
public final class LatencyPercentile {

    /** No estimate before this number of durations, because a percentile of few durations is mostly chance. */
    public static final int MIN_SAMPLES = 100;

    private static final int WINDOW = 1_000;
    /** The estimate is computed again after this number of durations, because that reads all buckets. */
    private static final int REFRESH = 50;

    private static final int SUB_BITS = 3;
    private static final int SUB_BUCKETS = 1 << SUB_BITS;
    private static final int MAX_EXPONENT = 31;
    private static final long MAX_MICROS = (1L << (MAX_EXPONENT + 1)) - 1;
    private static final int BUCKETS = (MAX_EXPONENT - SUB_BITS + 2) * SUB_BUCKETS;

    private final int percentile;
    private int[] current = new int[BUCKETS];
    private int[] previous = new int[BUCKETS];
    private int currentCount;
    private int previousCount;
    private long estimateNanos = -1;

    /** @param percentile from 1 to 99 */
    public LatencyPercentile(int percentile) {
        this.percentile = percentile;
    }

    /** Records a duration. */
    public void record(long nanos) {
        long micros = TimeUnit.NANOSECONDS.toMicros(nanos);
        current[bucketOf(Math.max(0, Math.min(MAX_MICROS, micros)))]++;
        currentCount++;
        if (currentCount % REFRESH == 0) {
            estimateNanos = estimate();
        }
        if (currentCount == WINDOW) {
            int[] oldest = previous;
            previous = current;
            previousCount = currentCount;
            Arrays.fill(oldest, 0);
            current = oldest;
            currentCount = 0;
        }
    }

    /** Returns the estimate in nanoseconds; -1 if there are too few durations. */
    public long nanos() {
        return estimateNanos;
    }

    private long estimate() {
        int count = previousCount + currentCount;
        if (count < MIN_SAMPLES) {
            return -1;
        }
        long atOrBelow = (long) Math.ceil(count * percentile / 100.0);
        int bucket = -1;
        for (long seen = 0; seen < atOrBelow; ) {
            bucket++;
            seen += previous[bucket] + current[bucket];
        }
        return TimeUnit.MICROSECONDS.toNanos(endOf(bucket));
    }

    private static int bucketOf(long micros) {
        if (micros < SUB_BUCKETS) {
            return (int) micros;
        }
        int exponent = 63 - Long.numberOfLeadingZeros(micros);
        int sub = (int) (micros >>> (exponent - SUB_BITS)) & (SUB_BUCKETS - 1);
        return (exponent - SUB_BITS + 1) * SUB_BUCKETS + sub;
    }

    /** Returns the smallest number of microseconds above those of the bucket. */
    private static long endOf(int bucket) {
        if (bucket < SUB_BUCKETS) {
            return bucket + 1L;
        }
        int shift = bucket / SUB_BUCKETS - 1;
        return (SUB_BUCKETS + bucket % SUB_BUCKETS + 1L) << shift;
    }
}
