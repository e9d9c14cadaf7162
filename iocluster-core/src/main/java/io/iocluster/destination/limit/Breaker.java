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
 * Circuit breaker of a destination, based on Resilience4j (docs/adr/0057-a-probe-is-a-call-that-can-succeed.md). Confined to its
 * destination's lock.
 *
 * <p>A half-open breaker lets {@code half-open-calls} attempts through as probes, and one more each second while they have no result. So
 * the breaker notices that the target is repaired although the first probes hang. Half-open ends when as many probes have a result, or
 * after {@value #HALF_OPEN_ATTEMPTS} times the timeout of an attempt while further calls wait.
 *
 * <p>Only recent results count:
 *
 * <ul>
 *   <li>A closed breaker ignores attempts that started before it closed, because they show what the target did during the outage.
 *   <li>A breaker that is not closed ignores all attempts but its probes. It ignores a failed probe if a later one has succeeded.
 *   <li>A late success of a probe makes an open breaker half-open, unless a later probe has failed.
 * </ul>
 */
public final class Breaker {

    /** Longest time after which a half-open breaker lets another probe through. Targets that hang then get one call a second. */
    public static final Duration MAX_PROBE_INTERVAL = Duration.ofSeconds(1);

    /** Half-open ends after this many times the timeout of an attempt: more than one, so that the first probes time out before. */
    static final int HALF_OPEN_ATTEMPTS = 2;

    private final String name;
    private final BreakerSettings settings;
    private final LongSupplier clock;
    private final Consumer<BreakerChange> changes;
    private final IntervalFunction backoff;
    private final CircuitBreaker breaker;
    private final long probeIntervalNanos;
    private final Throwable failed = new AttemptFailedException();
    private long attemptTimeoutNanos;
    /** The state of the last reported change, and when it began. */
    private BreakerState reported = BreakerState.CLOSED;

    private long stateSinceNanos;

    private long openedNanos;
    /** How long the breaker stays open after it opened last. */
    private long openForMillis;

    /** When the last probe of the half-open breaker started. */
    private long probeStartedNanos;

    /** Probes that started although {@code half-open-calls} others had no result. */
    private int extraProbes;

    /** When the latest successful and the latest failed probe started, since the breaker opened. */
    private long succeededProbeNanos;

    private long failedProbeNanos;

    private int failureStatus;
    private ErrorCode failureCode;
    /** Why the last failure was an answer that is not usable; null if its status or error code was the reason. */
    private String failureUnusable;

    /**
     * Creates a closed breaker.
     *
     * @param attemptTimeout timeout of an attempt, unless its caller chose another
     * @param clock the node's monotonic clock, in nanoseconds
     * @param changes receives each change of the state; called under the destination's lock
     */
    public Breaker(
            String name,
            BreakerSettings settings,
            Duration attemptTimeout,
            LongSupplier clock,
            Consumer<BreakerChange> changes) {
        this.name = name;
        this.settings = settings;
        this.attemptTimeoutNanos = attemptTimeout.toNanos();
        this.clock = clock;
        this.changes = changes;
        this.stateSinceNanos = clock.getAsLong();
        this.probeIntervalNanos =
                Math.min(MAX_PROBE_INTERVAL.toNanos(), settings.openDuration().toNanos());
        this.backoff = IntervalFunction.ofExponentialBackoff(settings.openDuration(), 2, settings.maxOpenDuration());
        this.breaker = CircuitBreaker.of(
                name,
                CircuitBreakerConfig.custom()
                        .failureRateThreshold(settings.failurePercent())
                        .slidingWindowType(CircuitBreakerConfig.SlidingWindowType.COUNT_BASED)
                        .slidingWindowSize(settings.windowSize())
                        .minimumNumberOfCalls(settings.minimumCalls())
                        .permittedNumberOfCallsInHalfOpenState(settings.halfOpenCalls())
                        .waitIntervalFunctionInOpenState(this::openMillis)
                        .writableStackTraceEnabled(false)
                        .clock(new MonotonicClock(clock))
                        .build());
    }

    /** Returns how long the breaker stays open. The time since the start of the probes counts, because they may have hung for long. */
    private long openMillis(int attempts) {
        long millis = backoff.apply(attempts);
        openForMillis = reported == BreakerState.HALF_OPEN
                ? Math.max(0, millis - TimeUnit.NANOSECONDS.toMillis(clock.getAsLong() - stateSinceNanos))
                : millis;
        return openForMillis;
    }

    public BreakerSettings settings() {
        return settings;
    }

    /** Sets the timeout of an attempt, unless its caller chose another. */
    public void setAttemptTimeout(Duration timeout) {
        attemptTimeoutNanos = timeout.toNanos();
    }

    /** Returns whether an attempt may start now. An open breaker becomes half-open if it is due. */
    public boolean mayStart(long now) {
        if (!settings.enabled()) {
            return true;
        }
        boolean permitted = breaker.tryAcquirePermission();
        reportChange(now);
        if (breaker.getState() != State.HALF_OPEN) {
            return permitted;
        }
        if (permitted) {
            breaker.releasePermission();
            return true;
        }
        if (now - probeStartedNanos >= probeIntervalNanos) {
            return true;
        }
        endHalfOpenIfDue(now);
        return false;
    }

    /** Returns whether the breaker is half-open. An attempt that starts is then a probe. */
    public boolean isHalfOpen() {
        return settings.enabled() && breaker.getState() == State.HALF_OPEN;
    }

    /** Records the start of an attempt, after {@link #mayStart}. */
    public void attemptStarted(long now) {
        if (isHalfOpen()) {
            probeStartedNanos = now;
            if (!breaker.tryAcquirePermission()) {
                extraProbes++;
            }
        }
    }

    /** Records the end of an attempt whose result says nothing about the destination. Another probe may start instead of it. */
    public void attemptAbandoned(long startedNanos, long now, boolean probe) {
        if (!probe || !isHalfOpen() || startedNanos - stateSinceNanos < 0) {
            return;
        }
        if (extraProbes > 0) {
            extraProbes--;
        } else {
            breaker.releasePermission();
        }
        endHalfOpenIfDue(now);
    }

    /**
     * Records the result of an attempt.
     *
     * @param startedNanos when the attempt started
     * @param probe whether the attempt was a probe
     */
    public void record(HttpResult result, long startedNanos, long now, boolean probe) {
        if (!settings.enabled()) {
            return;
        }
        boolean closed = breaker.getState() == State.CLOSED;
        if (closed ? startedNanos - stateSinceNanos < 0 : !probe) {
            return;
        }
        ResultKind kind = ResultKind.of(result);
        if (kind == ResultKind.IGNORED) {
            attemptAbandoned(startedNanos, now, probe);
        } else if (isFailure(result, kind)) {
            recordFailure(result, startedNanos, now, closed);
        } else {
            recordSuccess(startedNanos, now, closed);
        }
    }

    private void recordFailure(HttpResult result, long startedNanos, long now, boolean closed) {
        if (!closed && (startedNanos - stateSinceNanos < 0 || startedNanos - succeededProbeNanos < 0)) {
            attemptAbandoned(startedNanos, now, true);
            return;
        }
        failureStatus = result instanceof Response response ? response.status() : 0;
        failureCode = result instanceof Failure failure ? failure.code() : null;
        failureUnusable = result instanceof Response response && !isFailureStatus(response)
                ? response.usability().reason()
                : null;
        failedProbeNanos = later(failedProbeNanos, startedNanos);
        breaker.onError(now - startedNanos, TimeUnit.NANOSECONDS, failed);
        reportChange(now);
        endHalfOpenIfDue(now);
    }

    private void recordSuccess(long startedNanos, long now, boolean closed) {
        if (!closed) {
            if (breaker.getState() == State.OPEN) {
                if (startedNanos - failedProbeNanos <= 0) {
                    return;
                }
                breaker.transitionToHalfOpenState();
                reportChange(now);
            }
            succeededProbeNanos = later(succeededProbeNanos, startedNanos);
        }
        breaker.onSuccess(now - startedNanos, TimeUnit.NANOSECONDS);
        reportChange(now);
        endHalfOpenIfDue(now);
    }

    private static long later(long first, long second) {
        return second - first > 0 ? second : first;
    }

    /**
     * Ends half-open after its longest time, by the results so far. Without any, the breaker opens for the shortest time, because nothing
     * shows that the target fails. Called when a call is denied or a probe ends, so that a target with few calls stays half-open.
     */
    private void endHalfOpenIfDue(long now) {
        if (!isHalfOpen() || now - stateSinceNanos < HALF_OPEN_ATTEMPTS * attemptTimeoutNanos) {
            return;
        }
        CircuitBreaker.Metrics counts = breaker.getMetrics();
        int failures = counts.getNumberOfFailedCalls();
        int results = counts.getNumberOfBufferedCalls();
        if (results == 0) {
            openForMillis = settings.openDuration().toMillis();
            breaker.transitionToOpenStateFor(settings.openDuration());
        } else if (100L * failures < (long) settings.failurePercent() * results) {
            breaker.transitionToClosedState();
        } else {
            breaker.transitionToOpenState();
        }
        reportChange(now);
    }

    /** Closes the breaker and forgets its counts. Does nothing if it is disabled. */
    public void reset() {
        if (settings.enabled()) {
            breaker.reset();
            stateSinceNanos = clock.getAsLong();
            reportChange(stateSinceNanos);
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

    private void reportChange(long now) {
        BreakerState before = reported;
        BreakerState after = state();
        if (after == before) {
            return;
        }
        reported = after;
        stateSinceNanos = now;
        if (before == BreakerState.CLOSED) {
            openedNanos = now;
            succeededProbeNanos = now;
            failedProbeNanos = now;
        }
        if (after == BreakerState.HALF_OPEN) {
            extraProbes = 0;
        }
        CircuitBreaker.Metrics counts = breaker.getMetrics();
        changes.accept(new BreakerChange(
                name,
                before,
                after,
                counts.getNumberOfFailedCalls(),
                counts.getNumberOfBufferedCalls(),
                Duration.ofNanos(now - openedNanos),
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

    /** Returns why the breaker is open or half-open; null if it is neither. */
    public BreakerTrip trip(long now) {
        return switch (state()) {
            case OPEN ->
                new BreakerTrip(
                        lastFailure(),
                        Duration.ofMillis(
                                Math.max(0, openForMillis - TimeUnit.NANOSECONDS.toMillis(now - stateSinceNanos))));
            case HALF_OPEN -> new BreakerTrip(lastFailure(), Duration.ZERO);
            default -> null;
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
