package io.iocluster.destination.limit;

import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.iocluster.settings.Rate;
import java.time.Duration;

/**
 * Limits the rate at which attempts of a destination or calls of an app start, based on Resilience4j. Confined to the
 * lock of its destination or app.
 *
 * <p>It divides the time span of the rate into steps of at least 50 ms, so that the attempts do not all start at the
 * beginning of the span. It reserves at most one permission, for the next attempt.
 */
public final class RateLimit {

    private static final long STEP_NANOS = Duration.ofMillis(50).toNanos();

    private final Rate rate;
    private final RateLimiter limiter;
    private boolean reserved;
    private long readyNanos;

    /** Creates a limit without a reservation. */
    public RateLimit(String name, Rate rate) {
        this.rate = rate;
        this.limiter = rate.isUnlimited() ? null : RateLimiter.of(name, config(rate));
    }

    private static RateLimiterConfig config(Rate rate) {
        long spanNanos = rate.per().toNanos();
        int permitsPerStep = (int) Math.max(1, rate.count() * STEP_NANOS / spanNanos);
        Duration step = Duration.ofNanos(spanNanos * permitsPerStep / rate.count());
        return RateLimiterConfig.custom()
                .limitForPeriod(permitsPerStep)
                .limitRefreshPeriod(step)
                .timeoutDuration(step.multipliedBy(2))
                .build();
    }

    public Rate rate() {
        return rate;
    }

    /** Reserves the permission for the next attempt if none is reserved. Returns whether the attempt may start now. */
    public boolean tryReserve(long nowNanos) {
        if (limiter == null) {
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
    }
}
