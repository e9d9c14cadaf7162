package io.iocluster.destination;

import io.iocluster.retry.RetryBudget;
import io.iocluster.retry.RetryBudgetSettings;
import java.util.function.LongSupplier;

/**
 * What a destination is known to take: its breaker, its pace, its adaptive limit, its budget of retries, and the pause that it
 * asked for. Confined to its destination's lock.
 */
final class Learned {

    private final LongSupplier clock;
    private Breaker breaker;
    private Pace pace;
    private AdaptiveLimit adaptive;
    private RetryBudgetSettings budgetSettings;
    private RetryBudget budget;
    private int cap;
    private long pauseEndNanos;
    private long retriesRefused;

    Learned(String name, DestinationPolicy policy, LongSupplier clock) {
        this.clock = clock;
        this.pauseEndNanos = clock.getAsLong();
        this.cap = cap(policy);
        this.breaker = new Breaker(name, policy.breaker(), clock);
        this.pace = new Pace(name, policy.rate());
        this.adaptive = new AdaptiveLimit(policy.adaptive(), cap);
        this.budgetSettings = policy.retry().budget();
        this.budget = new RetryBudget(budgetSettings, clock.getAsLong());
    }

    private static int cap(DestinationPolicy policy) {
        return policy.maxInFlight() == 0 ? Integer.MAX_VALUE : policy.maxInFlight();
    }

    /** Begins anew only what has other settings. */
    void replace(String name, DestinationPolicy policy) {
        if (!breaker.settings().equals(policy.breaker())) {
            breaker = new Breaker(name, policy.breaker(), clock);
        }
        if (!pace.rate().equals(policy.rate())) {
            pace = new Pace(name, policy.rate());
        }
        if (!adaptive.settings().equals(policy.adaptive()) || cap != cap(policy)) {
            cap = cap(policy);
            adaptive = new AdaptiveLimit(policy.adaptive(), cap);
        }
        if (!budgetSettings.equals(policy.retry().budget())) {
            budgetSettings = policy.retry().budget();
            budget = new RetryBudget(budgetSettings, clock.getAsLong());
        }
    }

    /** Whether an attempt may begin now; one that does not then is {@linkplain #release released}. */
    boolean tryAcquire(long now) {
        return pausedNanos(now) == 0 && pace.isReady(now) && breaker.tryAcquire();
    }

    /** Whether calls may begin but for their rate. */
    boolean letsIn(long now) {
        return pausedNanos(now) == 0 && breaker.state() != BreakerState.OPEN;
    }

    boolean isProbing() {
        return breaker.isProbing();
    }

    void release(boolean probe) {
        breaker.release(probe);
    }

    void begun() {
        pace.begun();
    }

    void record(ResultKind kind, Pass pass, long now) {
        breaker.record(kind, now - pass.begunNanos, pass.probe);
        if (adaptive.settings().enabled()) {
            adaptive.record(kind, pass.begunNanos, now - pass.begunNanos, pass.inFlight);
        }
    }

    int limit() {
        return adaptive.settings().enabled() ? adaptive.limit() : Integer.MAX_VALUE;
    }

    /** A call is made for the first time. */
    void called(long now) {
        budget.called(now);
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

    long pausedNanos(long now) {
        return Math.max(0, pauseEndNanos - now);
    }

    BreakerState breakerState() {
        return breaker.state();
    }

    /** Whether all of it is as it was in the beginning, or would soon be. */
    boolean isNothing(long now) {
        BreakerState state = breaker.state();
        return pausedNanos(now) == 0 && (state == BreakerState.CLOSED || state == BreakerState.DISABLED);
    }
}
