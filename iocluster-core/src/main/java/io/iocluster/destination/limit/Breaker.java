package io.iocluster.destination.limit;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.core.IntervalFunction;
import io.iocluster.destination.policy.BreakerSettings;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Holds back calls to a destination that keeps failing, by Resilience4j. A call that began before the breaker opened is no
 * probe and decides nothing when it ends late. Confined to its destination's lock.
 */
public final class Breaker {

    private final BreakerSettings settings;
    private final CircuitBreaker breaker;
    private final Throwable failed = new AttemptFailedException();

    /**
     * A closed breaker.
     *
     * @param nanos the node's clock that never jumps
     */
    public Breaker(String name, BreakerSettings settings, LongSupplier nanos) {
        this.settings = settings;
        this.breaker = CircuitBreaker.of(
                name,
                CircuitBreakerConfig.custom()
                        .failureRateThreshold(settings.failurePercent())
                        .slidingWindowType(CircuitBreakerConfig.SlidingWindowType.COUNT_BASED)
                        .slidingWindowSize(settings.windowSize())
                        .minimumNumberOfCalls(settings.minimumCalls())
                        .permittedNumberOfCallsInHalfOpenState(settings.halfOpenCalls())
                        .waitIntervalFunctionInOpenState(IntervalFunction.ofExponentialBackoff(
                                settings.openDuration(), 2, settings.maxOpenDuration()))
                        .writableStackTraceEnabled(false)
                        .clock(new SteadyClock(nanos))
                        .build());
    }

    public BreakerSettings settings() {
        return settings;
    }

    public boolean tryAcquire() {
        return !settings.enabled() || breaker.tryAcquirePermission();
    }

    /** Whether what was acquired just now is a probe. */
    public boolean isHalfOpen() {
        return settings.enabled() && breaker.getState() == State.HALF_OPEN;
    }

    /** What was acquired comes back unused, or its result says nothing. */
    public void release(boolean probe) {
        if (probe) {
            breaker.releasePermission();
        }
    }

    public void record(ResultKind kind, long nanos, boolean probe) {
        if (!settings.enabled() || (!probe && breaker.getState() != State.CLOSED)) {
            return;
        }
        if (kind == ResultKind.IGNORED) {
            release(probe);
        } else if (kind.isFailure()) {
            breaker.onError(nanos, TimeUnit.NANOSECONDS, failed);
        } else {
            breaker.onSuccess(nanos, TimeUnit.NANOSECONDS);
        }
    }

    public BreakerState state() {
        if (!settings.enabled()) {
            return BreakerState.DISABLED;
        }
        return switch (breaker.getState()) {
            case OPEN -> BreakerState.OPEN;
            case HALF_OPEN -> BreakerState.HALF_OPEN;
            default -> BreakerState.CLOSED;
        };
    }

    /** Instants from a clock that never jumps, which begin with the epoch; only differences mean anything. */
    private static final class SteadyClock extends Clock {

        private final LongSupplier nanos;
        private final long startNanos;

        SteadyClock(LongSupplier nanos) {
            this.nanos = nanos;
            this.startNanos = nanos.getAsLong();
        }

        @Override
        public Instant instant() {
            return Instant.EPOCH.plusNanos(nanos.getAsLong() - startNanos);
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            throw new UnsupportedOperationException("nobody asks for the time of day");
        }
    }

    /** Stands for whatever went wrong; made once, without a stack. */
    private static final class AttemptFailedException extends Exception {

        private static final long serialVersionUID = 1;

        AttemptFailedException() {
            super("the attempt failed", null, false, false);
        }
    }
}
