package io.iocluster.transport.outage;

import io.iocluster.thread.Platform;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
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

    public Backoff(Duration initial, Duration max) {
        this(initial, max, Platform.system().random());
    }

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

    /**
     * Blocks the calling thread for the next delay, or until the condition holds. Unpark the thread when the condition
     * changes.
     */
    public void sleepUnless(BooleanSupplier condition) {
        long until = System.nanoTime() + nextDelayNanos();
        for (long left = until - System.nanoTime();
                left > 0 && !condition.getAsBoolean();
                left = until - System.nanoTime()) {
            LockSupport.parkNanos(this, left);
        }
    }

    /** Restarts with the initial delay. */
    public void reset() {
        level = 0;
    }
}
