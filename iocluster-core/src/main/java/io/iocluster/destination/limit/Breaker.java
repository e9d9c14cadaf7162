package io.iocluster.destination.limit;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.core.IntervalFunction;
import io.iocluster.destination.policy.BreakerSettings;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.Failure;
import io.iocluster.http.HttpResult.Response;
import io.iocluster.message.ErrorCode;
import io.iocluster.settings.StatusPattern;
import io.iocluster.thread.MonotonicClock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Circuit breaker of a destination, based on Resilience4j. Confined to its destination's lock.
 *
 * <p>The result of a call that started before the breaker opened is ignored if the call ends afterwards. Such a call
 * is not a probe.
 */
public final class Breaker {

    private final String name;
    private final BreakerSettings settings;
    private final LongSupplier clock;
    private final Consumer<BreakerChange> changes;
    private final CircuitBreaker breaker;
    private final Throwable failed = new AttemptFailedException();
    /** The state of the last reported change. */
    private BreakerState reported = BreakerState.CLOSED;

    private long openedNanos;
    private int failureStatus;
    private ErrorCode failureCode;
    /** Why the last failure was an answer that is not usable; null if its status or error code was the reason. */
    private String failureUnusable;

    /**
     * Creates a closed breaker.
     *
     * @param clock the node's monotonic clock, in nanoseconds
     * @param changes receives each change of the state; called under the destination's lock
     */
    public Breaker(String name, BreakerSettings settings, LongSupplier clock, Consumer<BreakerChange> changes) {
        this.name = name;
        this.settings = settings;
        this.clock = clock;
        this.changes = changes;
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
                        .clock(new MonotonicClock(clock))
                        .build());
    }

    public BreakerSettings settings() {
        return settings;
    }

    /** Acquires the permission to start an attempt, if the breaker lets one through. */
    public boolean tryAcquire() {
        if (!settings.enabled()) {
            return true;
        }
        boolean acquired = breaker.tryAcquirePermission();
        reportChange();
        return acquired;
    }

    /** Returns whether the breaker is half-open. A permission that was just acquired is then for a probe. */
    public boolean isHalfOpen() {
        return settings.enabled() && breaker.getState() == State.HALF_OPEN;
    }

    /** Gives back a permission whose attempt did not start, or whose result says nothing about the destination. */
    public void release(boolean probe) {
        if (probe) {
            breaker.releasePermission();
        }
    }

    /**
     * Records the result of an attempt.
     *
     * @param nanos how long the attempt took
     * @param probe whether the attempt was a probe
     */
    public void record(HttpResult result, long nanos, boolean probe) {
        if (!settings.enabled() || (!probe && breaker.getState() != State.CLOSED)) {
            return;
        }
        ResultKind kind = ResultKind.of(result);
        if (kind == ResultKind.IGNORED) {
            release(probe);
        } else if (isFailure(result, kind)) {
            failureStatus = result instanceof Response response ? response.status() : 0;
            failureCode = result instanceof Failure failure ? failure.code() : null;
            failureUnusable = result instanceof Response response && !isFailureStatus(response)
                    ? response.usability().reason()
                    : null;
            breaker.onError(nanos, TimeUnit.NANOSECONDS, failed);
        } else {
            breaker.onSuccess(nanos, TimeUnit.NANOSECONDS);
        }
        reportChange();
    }

    /** Closes the breaker and forgets its counts. Does nothing if it is disabled. */
    public void reset() {
        if (settings.enabled()) {
            breaker.reset();
            reportChange();
        }
    }

    private String lastFailure() {
        if (failureCode != null) {
            return failureCode.wireName();
        }
        return "status " + failureStatus + (failureUnusable == null ? "" : ", unusable: " + failureUnusable);
    }

    private boolean isFailure(HttpResult result, ResultKind kind) {
        return result instanceof Response response
                ? isFailureStatus(response)
                        || (settings.unusableAnswers() && response.usability().isUnusable())
                : kind.isFailure();
    }

    private boolean isFailureStatus(Response response) {
        return StatusPattern.anyMatches(settings.failureStatuses(), response.status());
    }

    private void reportChange() {
        BreakerState before = reported;
        BreakerState now = state();
        if (now == before) {
            return;
        }
        reported = now;
        long nanos = clock.getAsLong();
        if (before == BreakerState.CLOSED) {
            openedNanos = nanos;
        }
        CircuitBreaker.Metrics counts = breaker.getMetrics();
        changes.accept(new BreakerChange(
                name,
                before,
                now,
                counts.getNumberOfFailedCalls(),
                counts.getNumberOfBufferedCalls(),
                Duration.ofNanos(nanos - openedNanos),
                lastFailure()));
    }

    /** Returns the current state. */
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

    /** Stands for each failure. Has no stack trace, because one instance is reused. */
    private static final class AttemptFailedException extends Exception {

        private static final long serialVersionUID = 1;

        AttemptFailedException() {
            super("attempt failed", null, false, false);
        }
    }
}
