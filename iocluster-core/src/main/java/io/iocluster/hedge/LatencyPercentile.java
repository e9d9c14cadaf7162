package io.iocluster.hedge;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.IntCountsHistogram;

/**
 * Estimates a percentile of the last 1,000 to 2,000 durations. Guarded by the owner's lock.
 *
 * <p>The estimate is at most a sixteenth too high. All counts of a window expire together. Counts that fade would round away the few slow
 * durations that decide a high percentile.
 */
public final class LatencyPercentile {

    /** No estimate before this number of durations, because a percentile of few durations is mostly chance. */
    public static final int MIN_SAMPLES = 100;

    private static final int WINDOW = 1_000;
    /** The estimate is computed again after this number of durations, because that reads all counts. */
    private static final int REFRESH = 50;

    /** Longer durations count as this one, because a hedge after hours helps no call. */
    private static final long MAX_MICROS = TimeUnit.HOURS.toMicros(2);

    /** Makes an estimate at most a sixteenth too high, in a few hundred buckets. */
    private static final int SIGNIFICANT_DIGITS = 1;

    private final int percentile;
    /** The durations of the current window and the one before it. */
    private IntCountsHistogram recent = newHistogram();
    /** The durations of the current window. */
    private IntCountsHistogram current = newHistogram();

    private long estimateNanos = -1;

    /** @param percentile from 1 to 99 */
    public LatencyPercentile(int percentile) {
        this.percentile = percentile;
    }

    private static IntCountsHistogram newHistogram() {
        return new IntCountsHistogram(MAX_MICROS, SIGNIFICANT_DIGITS);
    }

    /** Records a duration. */
    public void record(long nanos) {
        long micros = Math.max(0, Math.min(MAX_MICROS, TimeUnit.NANOSECONDS.toMicros(nanos)));
        recent.recordValue(micros);
        current.recordValue(micros);
        if (current.getTotalCount() % REFRESH == 0) {
            estimateNanos = estimate();
        }
        if (current.getTotalCount() == WINDOW) {
            IntCountsHistogram oldest = recent;
            recent = current;
            current = oldest;
            current.reset();
        }
    }

    /** Returns the estimate in nanoseconds; -1 if there are too few durations. */
    public long nanos() {
        return estimateNanos;
    }

    private long estimate() {
        return recent.getTotalCount() < MIN_SAMPLES
                ? -1
                : TimeUnit.MICROSECONDS.toNanos(recent.getValueAtPercentile(percentile) + 1);
    }
}
