package io.iocluster.destination;

import io.iocluster.destination.limit.AdaptiveConcurrencyLimit;
import io.iocluster.destination.limit.Breaker;
import io.iocluster.destination.limit.BreakerChange;
import io.iocluster.destination.limit.BreakerState;
import io.iocluster.destination.limit.RateLimit;
import io.iocluster.destination.limit.ResultKind;
import io.iocluster.destination.operator.OperatorAction;
import io.iocluster.destination.operator.OperatorOverrides;
import io.iocluster.destination.policy.AdaptiveConcurrencySettings;
import io.iocluster.destination.policy.ClusterShare;
import io.iocluster.destination.policy.DestinationLimits;
import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.hedge.HedgeLimit;
import io.iocluster.hedge.HedgeSettings;
import io.iocluster.http.HttpResult;
import io.iocluster.retry.RetryBudget;
import io.iocluster.retry.RetryBudgetSettings;
import io.iocluster.settings.Rate;
import io.iocluster.thread.NodeClock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The limits of one destination: breaker, rate limit, adaptive limit, retry budget, the pause that the target asked for,
 * the overrides of an operator, and this node's share of the limits for the cluster. Confined to its destination's lock.
 */
final class DestinationHealth {

    private final NodeClock clock;
    private final Consumer<BreakerChange> breakerChanges;
    private final OperatorOverrides overrides;
    private DestinationPolicy configured;
    private DestinationLimits limits;
    /** The latest that is known. */
    private ClusterShare share = ClusterShare.WHOLE;

    /** The one that the limits have now, which may be unknown. */
    private ClusterShare applied = ClusterShare.WHOLE;

    /** Whether the nodes divide a limit and this node does not know its share. */
    private boolean shareUnknown;

    /** Whether a full queue makes the source wait for the share, and since when. */
    private boolean sourceWaits;

    private long sourceWaitsSinceNanos;

    private Breaker breaker;
    private RateLimit rateLimit;
    private AdaptiveConcurrencyLimit adaptive;
    private RetryBudgetSettings budgetSettings;
    private RetryBudget budget;
    private HedgeSettings hedgeSettings;
    /** Null if no call gets a second attempt. */
    private HedgeLimit hedges;

    private int cap;
    private long pauseEndNanos;
    private long retriesRefused;

    DestinationHealth(
            String name,
            DestinationPolicy policy,
            ClusterShare share,
            NodeClock clock,
            Consumer<BreakerChange> breakerChanges) {
        this.clock = clock;
        this.overrides = new OperatorOverrides(clock);
        this.breakerChanges = breakerChanges;
        this.configured = policy;
        this.pauseEndNanos = clock.nanos();
        setLimits(policy.limits(), share);
        this.cap = configuredCap();
        this.breaker = new Breaker(name, policy.breaker(), policy.timeout(), clock::nanos, breakerChanges);
        this.rateLimit = new RateLimit(name, policy.rate(), rateNodes(), clock::nanos);
        this.adaptive = new AdaptiveConcurrencyLimit(policy.adaptiveConcurrency(), cap);
        this.budgetSettings = policy.retry().budget();
        this.budget = new RetryBudget(budgetSettings, clock.nanos());
        this.hedgeSettings = policy.hedge();
        this.hedges = HedgeLimit.of(hedgeSettings, clock.nanos());
    }

    private void setLimits(DestinationLimits next, ClusterShare current) {
        limits = next;
        applied = current;
        shareUnknown = next.dividesAny() && !current.isKnown();
        sourceWaits = sourceWaits && shareUnknown;
        if (current.isKnown()) {
            share = current;
        }
    }

    private int configuredCap() {
        if (limits.maxInFlight() == 0) {
            return Integer.MAX_VALUE;
        }
        return limits.dividesMaxInFlight() ? share.of(limits.maxInFlight()) : limits.maxInFlight();
    }

    private int rateNodes() {
        return limits.dividesRate() ? share.nodes() : 1;
    }

    /**
     * Applies a configured policy with the overrides of an operator and this node's share of the limits for the cluster. Returns the
     * policy with the overrides. Each limit keeps its state if its own settings have not changed.
     */
    DestinationPolicy updatePolicy(String name, DestinationPolicy next, ClusterShare current) {
        configured = next;
        DestinationPolicy policy = overrides.applyTo(next);
        setLimits(policy.limits(), current);
        if (!breaker.settings().equals(policy.breaker())) {
            breaker = new Breaker(name, policy.breaker(), policy.timeout(), clock::nanos, breakerChanges);
        }
        breaker.setAttemptTimeout(policy.timeout());
        updateRate(name, policy.rate());
        updateCap(policy.adaptiveConcurrency());
        if (!budgetSettings.equals(policy.retry().budget())) {
            budgetSettings = policy.retry().budget();
            budget = new RetryBudget(budgetSettings, clock.nanos());
        }
        if (!hedgeSettings.equals(policy.hedge())) {
            hedgeSettings = policy.hedge();
            hedges = HedgeLimit.of(hedgeSettings, clock.nanos());
        }
        return policy;
    }

    private void updateRate(String name, Rate rate) {
        if (!rateLimit.rate().equals(rate)) {
            rateLimit = new RateLimit(name, rate, rateNodes(), clock::nanos);
        } else if (rateLimit.nodes() != rateNodes()) {
            rateLimit = rateLimit.dividedBy(rateNodes(), clock.nanos());
        }
    }

    private void updateCap(AdaptiveConcurrencySettings settings) {
        int nextCap = configuredCap();
        if (!adaptive.settings().equals(settings)) {
            adaptive = new AdaptiveConcurrencyLimit(settings, nextCap);
        } else if (cap != nextCap) {
            adaptive = adaptive.cappedAt(nextCap);
        }
        cap = nextCap;
    }

    /** Returns whether the nodes divide a limit and this share of it is not applied yet. */
    boolean needsShare(ClusterShare current) {
        return limits.dividesAny() && !applied.equals(current);
    }

    /** Returns the policy without the overrides of an operator. */
    DestinationPolicy configuredPolicy() {
        return configured;
    }

    /** Returns whether calls may start, apart from the rate limit. */
    boolean isAcceptingCalls(long now) {
        return !isPaused(now) && breaker.state() != BreakerState.OPEN;
    }

    /**
     * Returns whether the source should wait, because only this node's unknown share keeps calls from starting.
     *
     * @param atMost how long it waits
     */
    boolean awaitsShare(long now, Duration atMost) {
        if (!shareUnknown || isOtherwisePaused(now) || breaker.state() == BreakerState.OPEN) {
            return false;
        }
        if (!sourceWaits) {
            sourceWaits = true;
            sourceWaitsSinceNanos = now;
        }
        return now - sourceWaitsSinceNanos <= atMost.toNanos();
    }

    /** Returns whether the breaker lets no call through now, not even as a probe. A breaker becomes half-open if it is due. */
    boolean isBreakerBlocking(long now) {
        return !breaker.mayStart(now);
    }

    /** Returns whether an attempt may start now. A breaker becomes half-open if it is due. */
    boolean isReady(long now) {
        return !isPaused(now) && !isBreakerBlocking(now) && rateLimit.tryReserve(now);
    }

    boolean isHalfOpen() {
        return breaker.isHalfOpen();
    }

    /** Returns whether a call that starts now would be a probe. */
    boolean wantsProbe(long now) {
        return isBreakerTripped() && isReady(now) && breaker.isHalfOpen();
    }

    /** Records the start of an attempt, after {@link #isReady}. */
    void attemptStarted(long now) {
        breaker.attemptStarted(now);
        rateLimit.consumeReservation();
    }

    /** Records the end of an attempt whose result says nothing about the destination. */
    void attemptAbandoned(CallPermit permit, long now) {
        breaker.attemptAbandoned(permit.attemptStartNanos(), now, permit.isProbe());
    }

    void recordResult(HttpResult result, CallPermit permit, long now) {
        long started = permit.attemptStartNanos();
        breaker.record(result, started, now, permit.isProbe());
        if (adaptive.settings().enabled()) {
            adaptive.record(ResultKind.of(result), started, now - started, permit.attemptsInFlight());
        }
    }

    /** Returns the configured limit of attempts in flight. */
    int cap() {
        return cap;
    }

    /** Returns the limit of attempts in flight: the configured one, or the adaptive one if it is lower. */
    int limit() {
        return adaptive.settings().enabled() ? Math.min(cap, adaptive.limit()) : cap;
    }

    /** Counts a call for the retry budget, unless it is a retry. */
    void recordOffer(PendingCall call, long now) {
        if (!call.isRetry()) {
            budget.recordCall(now);
            if (hedges != null) {
                hedges.recordCall(now);
            }
        }
    }

    /** Returns when calls get a second attempt; null if none does. */
    HedgeLimit hedges() {
        return hedges;
    }

    /** Returns whether calls may get a second attempt: whether nothing restricts the calls because the target has or had problems. */
    boolean allowsHedges(long now) {
        return isHealthy(now) && overrides.isEmpty();
    }

    boolean tryRetry(long now) {
        boolean allowed = budget.tryRetry(now);
        if (!allowed) {
            retriesRefused++;
        }
        return allowed;
    }

    /** Pauses the destination for this time, unless it is already paused for longer. Does nothing if the time is 0. */
    void pause(long now, long millis) {
        long endNanos = now + TimeUnit.MILLISECONDS.toNanos(millis);
        if (millis > 0 && endNanos - pauseEndNanos > 0) {
            pauseEndNanos = endNanos;
        }
    }

    long remainingPauseNanos(long now) {
        return Math.max(0, pauseEndNanos - now);
    }

    private boolean isPaused(long now) {
        return shareUnknown || isOtherwisePaused(now);
    }

    /** Returns whether the target or an operator pauses the destination. */
    private boolean isOtherwisePaused(long now) {
        return remainingPauseNanos(now) > 0 || overrides.isPaused(now);
    }

    /** Applies an operator's action. */
    void apply(OperatorAction action, long now) {
        action.apply(overrides, breaker, now);
    }

    OperatorOverrides overrides() {
        return overrides;
    }

    BreakerState breakerState() {
        return breaker.state();
    }

    /** Returns a snapshot of the destination with these calls and attempts. */
    DestinationStatus status(
            DestinationIdentity identity, int inFlight, int waiting, AttemptTotals attempts, long now) {
        int limit = limit();
        return new DestinationStatus(
                identity.name(),
                identity.configured(),
                inFlight,
                limit == Integer.MAX_VALUE ? 0 : limit,
                waiting,
                breaker.state(),
                breaker.trip(now),
                retriesRefused,
                Duration.ofNanos(remainingPauseNanos(now)),
                attempts,
                limits.rate(),
                overrides.status(now),
                clusterLimits(),
                hedges == null ? null : hedges.status());
    }

    private ClusterLimits clusterLimits() {
        return limits.dividesAny()
                ? new ClusterLimits(
                        shareUnknown ? 0 : share.nodes(),
                        limits.dividesMaxInFlight() ? (Integer) limits.maxInFlight() : null,
                        limits.dividesRate() ? limits.rate() : null)
                : null;
    }

    /** Returns whether neither the target nor an operator pauses the destination and its breaker is closed or disabled. */
    boolean isHealthy(long now) {
        return !isPaused(now) && !isBreakerTripped();
    }

    private boolean isBreakerTripped() {
        BreakerState state = breaker.state();
        return state == BreakerState.OPEN || state == BreakerState.HALF_OPEN;
    }
}
