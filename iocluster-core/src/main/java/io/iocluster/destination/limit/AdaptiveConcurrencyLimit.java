package io.iocluster.destination.limit;

import com.netflix.concurrency.limits.Limit;
import com.netflix.concurrency.limits.limit.AIMDLimit;
import com.netflix.concurrency.limits.limit.Gradient2Limit;
import io.iocluster.destination.policy.AdaptiveConcurrencySettings;
import java.util.concurrent.TimeUnit;

/**
 * A limit of calls in flight that follows what the destination can take, by Netflix's concurrency-limits: the lesser of what
 * its latency says ({@link Gradient2Limit}) and what its overloads say ({@link AIMDLimit}: one more for a call that went well
 * while the limit was in use, a tenth less for one that did not). Confined to its destination's lock.
 */
public final class AdaptiveConcurrencyLimit {

    /** Overloads are told by results, not by how long they took. */
    private static final long NEVER_BY_TIME_DAYS = 365;

    private final AdaptiveConcurrencySettings settings;
    private final Limit latency;
    private final Limit overloads;

    /**
     * A limit where it begins.
     *
     * @param most it never exceeds this
     */
    public AdaptiveConcurrencyLimit(AdaptiveConcurrencySettings settings, int most) {
        int initial = Math.min(settings.initialLimit(), most);
        int least = Math.min(settings.minLimit(), most);
        this.settings = settings;
        this.latency = Gradient2Limit.newBuilder()
                .initialLimit(initial)
                .minLimit(least)
                .maxConcurrency(most)
                .build();
        this.overloads = AIMDLimit.newBuilder()
                .initialLimit(initial)
                .minLimit(least)
                .maxLimit(most)
                .timeout(NEVER_BY_TIME_DAYS, TimeUnit.DAYS)
                .build();
    }

    public AdaptiveConcurrencySettings settings() {
        return settings;
    }

    public int limit() {
        return Math.min(latency.getLimit(), overloads.getLimit());
    }

    public void record(ResultKind kind, long begunNanos, long nanos, int inFlight) {
        if (kind.isOverload()) {
            overloads.onSample(begunNanos, nanos, inFlight, true);
        } else if (kind == ResultKind.HEALTHY) {
            overloads.onSample(begunNanos, nanos, inFlight, false);
            latency.onSample(begunNanos, Math.max(1, nanos), inFlight, false);
        }
    }
}
