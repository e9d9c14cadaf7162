package io.iocluster.hedge;

import io.iocluster.retry.RetryBudget;
import io.iocluster.retry.RetryBudgetSettings;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The delay and the budget of second attempts at one destination. Guarded by the owner's lock. All times are nanoseconds. */
public final class HedgeLimit {

    /** A destination whose calls are too few for its percentage still gets one second attempt in this time. */
    private static final long MIN_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final HedgeSettings settings;
    private final RetryBudget budget;
    /** Null if the delay is fixed. */
    private final LatencyPercentile latency;

    private long lastStartNanos;

    private HedgeLimit(HedgeSettings settings, long nowNanos) {
        this.settings = settings;
        this.budget = new RetryBudget(new RetryBudgetSettings(settings.budgetPercent(), 0), nowNanos);
        this.latency = settings.after().isPercentile()
                ? new LatencyPercentile(settings.after().percentile())
                : null;
        this.lastStartNanos = nowNanos - MIN_INTERVAL_NANOS;
    }

    /** Creates the limit of a destination. Returns null if its settings allow no second attempts. */
    public static HedgeLimit of(HedgeSettings settings, long nowNanos) {
        return settings.isEnabled() ? new HedgeLimit(settings, nowNanos) : null;
    }

    /** Records a call, whose first attempt increases the budget. */
    public void recordCall(long nowNanos) {
        budget.recordCall(nowNanos);
    }

    /** Records how long a call waited for its answer, from the start of its first attempt. */
    public void recordLatency(long nanos) {
        if (latency != null) {
            latency.record(nanos);
        }
    }

    /** Returns how long the first attempt runs before a second one starts; -1 if that is not known yet. */
    public long delayNanos() {
        if (latency == null) {
            return settings.after().fixed().toNanos();
        }
        long nanos = latency.nanos();
        return nanos < 0 ? -1 : Math.max(nanos, settings.minDelay().toNanos());
    }

    /** Returns whether the budget allows a second attempt. */
    public boolean hasBudget(long nowNanos) {
        return nowNanos - lastStartNanos >= MIN_INTERVAL_NANOS || budget.hasRetry(nowNanos);
    }

    /** Takes a second attempt from the budget. */
    public void attemptStarted(long nowNanos) {
        lastStartNanos = nowNanos;
        budget.recordRetry(nowNanos);
    }

    /** Returns a snapshot. */
    public HedgeStatus status() {
        long nanos = delayNanos();
        return new HedgeStatus(
                settings.after().toString(), nanos < 0 ? null : Duration.ofNanos(nanos), settings.budgetPercent());
    }
}
