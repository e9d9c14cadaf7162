package io.iocluster.destination.limit;

import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.iocluster.settings.Rate;
import java.time.Duration;

/**
 * Bounds the attempts begun in a span of time, by Resilience4j, in steps of at least 50 ms so that they do not all begin at
 * the span's start. It has at most one permission in hand, reserved for the attempt that comes next. Confined to its
 * destination's lock.
 */
public final class RateLimit {

    private static final long STEP_NANOS = Duration.ofMillis(50).toNanos();

    private final Rate rate;
    private final RateLimiter limiter;
    private boolean reserved;
    private long readyNanos;

    public RateLimit(String name, Rate rate) {
        this.rate = rate;
        this.limiter = rate.isUnlimited() ? null : RateLimiter.of(name, config(rate));
    }

    private static RateLimiterConfig config(Rate rate) {
        long spanNanos = rate.per().toNanos();
        int inOneStep = (int) Math.max(1, rate.count() * STEP_NANOS / spanNanos);
        Duration step = Duration.ofNanos(spanNanos * inOneStep / rate.count());
        return RateLimiterConfig.custom()
                .limitForPeriod(inOneStep)
                .limitRefreshPeriod(step)
                .timeoutDuration(step.multipliedBy(2))
                .build();
    }

    public Rate rate() {
        return rate;
    }

    /** Whether an attempt may begin now. */
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

    /** An attempt begins, after {@link #tryReserve} allowed it. */
    public void consumeReservation() {
        reserved = false;
    }
}
