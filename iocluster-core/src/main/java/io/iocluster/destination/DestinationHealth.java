package io.iocluster.destination;

import io.iocluster.destination.limit.AdaptiveConcurrencyLimit;
import io.iocluster.destination.limit.Breaker;
import io.iocluster.destination.limit.BreakerState;
import io.iocluster.destination.limit.RateLimit;
import io.iocluster.destination.limit.ResultKind;
import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.retry.RetryBudget;
import io.iocluster.retry.RetryBudgetSettings;
import java.util.function.LongSupplier;

/**
 * What a destination is known to take: its breaker, its pace, its adaptive limit, its budget of retries, and the pause that it
 * asked for. Confined to its destination's lock.
 */
final class DestinationHealth {

    private final LongSupplier clock;
    private Breaker breaker;
    private RateLimit pace;
    private AdaptiveConcurrencyLimit adaptive;
    private RetryBudgetSettings budgetSettings;
    private RetryBudget budget;
    private int cap;
    private long pauseEndNanos;
    private long retriesRefused;

    DestinationHealth(String name, DestinationPolicy policy, LongSupplier clock) {
        this.clock = clock;
        this.pauseEndNanos = clock.getAsLong();
        this.cap = cap(policy);
        this.breaker = new Breaker(name, policy.breaker(), clock);
        this.pace = new RateLimit(name, policy.rate());
        this.adaptive = new AdaptiveConcurrencyLimit(policy.adaptiveConcurrency(), cap);
        this.budgetSettings = policy.retry().budget();
        this.budget = new RetryBudget(budgetSettings, clock.getAsLong());
    }

    private static int cap(DestinationPolicy policy) {
        return policy.maxInFlight() == 0 ? Integer.MAX_VALUE : policy.maxInFlight();
    }

    /** Begins anew only what has other settings. */
    void updatePolicy(String name, DestinationPolicy policy) {
        if (!breaker.settings().equals(policy.breaker())) {
            breaker = new Breaker(name, policy.breaker(), clock);
        }
        if (!pace.rate().equals(policy.rate())) {
            pace = new RateLimit(name, policy.rate());
        }
        if (!adaptive.settings().equals(policy.adaptiveConcurrency()) || cap != cap(policy)) {
            cap = cap(policy);
            adaptive = new AdaptiveConcurrencyLimit(policy.adaptiveConcurrency(), cap);
        }
        if (!budgetSettings.equals(policy.retry().budget())) {
            budgetSettings = policy.retry().budget();
            budget = new RetryBudget(budgetSettings, clock.getAsLong());
        }
    }

    /** Whether an attempt may begin now; one that does not then is {@linkplain #release released}. */
    boolean tryAcquire(long now) {
        return remainingPauseNanos(now) == 0 && pace.tryReserve(now) && breaker.tryAcquire();
    }

    /** Whether calls may begin but for their rate. */
    boolean isAcceptingCalls(long now) {
        return remainingPauseNanos(now) == 0 && breaker.state() != BreakerState.OPEN;
    }

    boolean isHalfOpen() {
        return breaker.isHalfOpen();
    }

    void release(boolean probe) {
        breaker.release(probe);
    }

    void attemptStarted() {
        pace.consumeReservation();
    }

    void recordResult(ResultKind kind, CallPermit permit, long now) {
        breaker.record(kind, now - permit.attemptStartNanos(), permit.isProbe());
        if (adaptive.settings().enabled()) {
            adaptive.record(
                    kind, permit.attemptStartNanos(), now - permit.attemptStartNanos(), permit.attemptsInFlight());
        }
    }

    /** Returns the most attempts in flight: the configured limit, or the adaptive one if it is lower. */
    int limit() {
        return adaptive.settings().enabled() ? Math.min(cap, adaptive.limit()) : cap;
    }

    /** A call is made for the first time. */
    void recordCall(long now) {
        budget.recordCall(now);
    }

    boolean tryRetry(long now) {
        boolean allowed = budget.tryRetry(now);
        if (!allowed) {
            retriesRefused++;
        }
        return allowed;
    }

    long retriesRefused() {
        return retriesRefused;
    }

    /** Leaves it alone until then, if it is not left alone for longer already. */
    void pause(long untilNanos) {
        if (untilNanos - pauseEndNanos > 0) {
            pauseEndNanos = untilNanos;
        }
    }

    long remainingPauseNanos(long now) {
        return Math.max(0, pauseEndNanos - now);
    }

    BreakerState breakerState() {
        return breaker.state();
    }

    /** Whether all of it is as it was in the beginning, or would soon be. */
    boolean isHealthy(long now) {
        BreakerState state = breaker.state();
        return remainingPauseNanos(now) == 0 && (state == BreakerState.CLOSED || state == BreakerState.DISABLED);
    }
}
