package io.iocluster.destination.limit;

import com.netflix.concurrency.limits.Limit;
import com.netflix.concurrency.limits.limit.AIMDLimit;
import com.netflix.concurrency.limits.limit.Gradient2Limit;
import io.iocluster.destination.policy.AdaptiveConcurrencySettings;
import java.util.concurrent.TimeUnit;

/**
 * A limit of calls in flight that adapts to the destination. Confined to its destination's lock.
 *
 * <p>It is the lower of two limits from Netflix's concurrency-limits. {@link Gradient2Limit} follows the latency.
 * {@link AIMDLimit} follows the overloads: it grows by one when a call succeeds while the limit is in use, and shrinks
 * by a tenth when a call reports an overload.
 */
public final class AdaptiveConcurrencyLimit {

    /** Overloads are recognized by their result, so the timeout of the library must never apply. */
    private static final long DISABLED_TIMEOUT_DAYS = 365;

    private final AdaptiveConcurrencySettings settings;
    private final Limit latency;
    private final Limit overloads;

    /**
     * Creates a limit at its initial value.
     *
     * @param max upper bound of the limit
     */
    public AdaptiveConcurrencyLimit(AdaptiveConcurrencySettings settings, int max) {
        this(settings, Math.min(settings.initialLimit(), max), max);
    }

    private AdaptiveConcurrencyLimit(AdaptiveConcurrencySettings settings, int initial, int max) {
        int min = Math.min(settings.minLimit(), max);
        this.settings = settings;
        this.latency = Gradient2Limit.newBuilder()
                .initialLimit(initial)
                .minLimit(min)
                .maxConcurrency(max)
                .build();
        this.overloads = AIMDLimit.newBuilder()
                .initialLimit(initial)
                .minLimit(min)
                .maxLimit(max)
                .timeout(DISABLED_TIMEOUT_DAYS, TimeUnit.DAYS)
                .build();
    }

    /** Returns a limit with another upper bound that starts at the current value, or at the bound if that is lower. */
    public AdaptiveConcurrencyLimit cappedAt(int max) {
        return new AdaptiveConcurrencyLimit(settings, Math.min(limit(), max), max);
    }

    public AdaptiveConcurrencySettings settings() {
        return settings;
    }

    /** Returns the current limit of attempts in flight. */
    public int limit() {
        return Math.min(latency.getLimit(), overloads.getLimit());
    }

    /**
     * Adapts the limit to the result of an attempt.
     *
     * @param startNanos when the attempt started, on the node's monotonic clock
     * @param durationNanos how long the attempt took
     * @param inFlight attempts in flight when this one started, including it
     */
    public void record(ResultKind kind, long startNanos, long durationNanos, int inFlight) {
        if (kind.isOverload()) {
            overloads.onSample(startNanos, durationNanos, inFlight, true);
        } else if (kind == ResultKind.HEALTHY) {
            overloads.onSample(startNanos, durationNanos, inFlight, false);
            latency.onSample(startNanos, Math.max(1, durationNanos), inFlight, false);
        }
    }
}
