package io.iocluster.transport.outage;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Computes an exponential backoff. The upper bound doubles from an initial to a maximum value. Each delay is random, at
 * least half of the bound and at most the bound. Confined to its owner's thread.
 */
public final class Backoff {

    private final long initialNanos;
    private final long maxNanos;
    private final RandomGenerator random;
    private int level;

    /**
     * Creates a backoff that starts with the initial delay.
     *
     * @param random the random numbers of the platform
     */
    public Backoff(Duration initial, Duration max, RandomGenerator random) {
        this.initialNanos = initial.toNanos();
        this.maxNanos = max.toNanos();
        this.random = random;
    }

    /** Returns the next delay in nanoseconds. */
    public long nextDelayNanos() {
        long range = Math.min(maxNanos, initialNanos << level);
        if (range < maxNanos) {
            level++;
        }
        return range / 2 + random.nextLong(range / 2 + 1);
    }

    /** Restarts with the initial delay. */
    public void reset() {
        level = 0;
    }
}
