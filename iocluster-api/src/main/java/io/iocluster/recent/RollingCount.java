package io.iocluster.recent;

import java.time.Duration;

/**
 * Sums amounts of a recent window, which consists of the current step and the complete steps before it. Not thread-safe. All times are
 * nanoseconds of one monotonic clock, which may overflow.
 */
public final class RollingCount {

    private final long[] steps;
    private final long stepNanos;
    private long stepStart;
    private int current;
    private long sum;

    /**
     * Creates an empty count.
     *
     * @param steps number of steps in the window
     */
    public RollingCount(int steps, Duration step, long nowNanos) {
        this.steps = new long[steps];
        this.stepNanos = step.toNanos();
        this.stepStart = nowNanos;
    }

    /** Adds an amount, which may be negative, to the current step. */
    public void add(long amount, long nowNanos) {
        advance(nowNanos);
        steps[current] += amount;
        sum += amount;
    }

    /** Returns the sum of the amounts in the window. */
    public long sum(long nowNanos) {
        advance(nowNanos);
        return sum;
    }

    private void advance(long nowNanos) {
        long age = nowNanos - stepStart;
        if (age < stepNanos) {
            return;
        }
        long passed = age / stepNanos;
        stepStart += passed * stepNanos;
        for (long i = Math.min(passed, steps.length); i > 0; i--) {
            current = current + 1 == steps.length ? 0 : current + 1;
            sum -= steps[current];
            steps[current] = 0;
        }
    }
}
