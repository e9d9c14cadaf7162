package io.iocluster.destination.limit;

import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.internal.AtomicRateLimiter;
import io.iocluster.settings.Rate;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Limits the rate at which attempts of a destination or calls of an app start, based on Resilience4j. Confined to the
 * lock of its destination or app.
 *
 * <p>It divides the time span of the rate into steps of at least 50 ms, so that the attempts do not all start at the
 * beginning of the span. It reserves at most one permission, for the next attempt.
 */
public final class RateLimit {

    private static final long STEP_NANOS = Duration.ofMillis(50).toNanos();

    private final String name;
    private final Rate rate;
    private final int nodes;
    private final LongSupplier clock;
    private final int permitsPerStep;
    private final Duration step;

    /** Null if the rate is unlimited, and after {@link #dividedBy} until the inherited reservation is used. */
    private RateLimiter limiter;

    private boolean reserved;
    private long readyNanos;

    /**
     * Creates a limit without a reservation.
     *
     * @param nodes number of nodes that divide the rate
     * @param clock the node's monotonic clock, in nanoseconds
     */
    public RateLimit(String name, Rate rate, int nodes, LongSupplier clock) {
        this.name = name;
        this.rate = rate;
        this.nodes = nodes;
        this.clock = clock;
        if (rate.isUnlimited()) {
            this.permitsPerStep = 0;
            this.step = Duration.ZERO;
        } else {
            long spanNanos = rate.per().toNanos() * nodes;
            this.permitsPerStep = (int) Math.max(1, rate.count() * STEP_NANOS / spanNanos);
            this.step = Duration.ofNanos(spanNanos * permitsPerStep / rate.count());
            this.limiter = newLimiter();
        }
    }

    private RateLimiter newLimiter() {
        RateLimiterConfig config = RateLimiterConfig.custom()
                .limitForPeriod(permitsPerStep)
                .limitRefreshPeriod(step)
                .timeoutDuration(step.multipliedBy(2))
                .build();
        return new AtomicRateLimiter(name, config, clock::getAsLong);
    }

    /**
     * Returns the limit for another number of nodes. The remaining wait of the next attempt changes in proportion, so that changes add no
     * attempts and delay none forever.
     */
    public RateLimit dividedBy(int otherNodes, long nowNanos) {
        RateLimit next = new RateLimit(name, rate, otherNodes, clock);
        if (rate.isUnlimited()) {
            return next;
        }
        tryReserve(nowNanos);
        double waitSteps = Math.max(0, readyNanos - nowNanos) / (double) step.toNanos();
        next.limiter = null;
        next.reserved = true;
        next.readyNanos = nowNanos + (long) (waitSteps * next.step.toNanos());
        return next;
    }

    public Rate rate() {
        return rate;
    }

    /** Returns the number of nodes that divide the rate. */
    public int nodes() {
        return nodes;
    }

    /** Reserves the permission for the next attempt if none is reserved. Returns whether the attempt may start now. */
    public boolean tryReserve(long nowNanos) {
        if (rate.isUnlimited()) {
            return true;
        }
        if (!reserved) {
            long wait = limiter.reservePermission();
            if (wait < 0) {
                return false;
            }
            reserved = true;
            readyNanos = nowNanos + wait;
        }
        return readyNanos - nowNanos <= 0;
    }

    /** Uses the reserved permission for an attempt that starts, after {@link #tryReserve} returned true. */
    public void consumeReservation() {
        reserved = false;
        if (limiter == null && !rate.isUnlimited()) {
            limiter = newLimiter();
            limiter.drainPermissions();
        }
    }
}
