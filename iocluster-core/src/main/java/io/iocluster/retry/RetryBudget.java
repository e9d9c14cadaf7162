package io.iocluster.retry;

import io.iocluster.recent.RollingCount;
import java.time.Duration;

/**
 * Limits the retries at one destination to a percentage of its calls in the last ten seconds, plus a fixed number each
 * second. The algorithm is that of Finagle's {@code RetryBudget}: each call deposits tokens, each retry withdraws some,
 * and both expire after ten seconds. Guarded by the owner's lock. All times are nanoseconds of one monotonic clock.
 */
public final class RetryBudget {

    private static final int SECONDS = 10;
    /** Tokens that one retry costs; a call deposits one token for each percent. */
    private static final long TOKENS_PER_RETRY = 100;

    private final int percent;
    private final long reserve;
    private final RollingCount tokens;

    public RetryBudget(RetryBudgetSettings settings, long nowNanos) {
        this.percent = settings.percent();
        this.reserve = settings.minPerSecond() * TOKENS_PER_RETRY * SECONDS;
        this.tokens = new RollingCount(SECONDS, Duration.ofSeconds(1), nowNanos);
    }

    /** Records the first attempt at a call. */
    public void recordCall(long nowNanos) {
        tokens.add(percent, nowNanos);
    }

    /** Returns whether the budget allows a retry. */
    public boolean hasRetry(long nowNanos) {
        return tokens.sum(nowNanos) + reserve >= TOKENS_PER_RETRY;
    }

    /** Withdraws one retry. Returns false if the budget is exhausted. */
    public boolean tryRetry(long nowNanos) {
        boolean allowed = hasRetry(nowNanos);
        if (allowed) {
            recordRetry(nowNanos);
        }
        return allowed;
    }

    /** Withdraws one retry, even if the budget is exhausted. */
    public void recordRetry(long nowNanos) {
        tokens.add(-TOKENS_PER_RETRY, nowNanos);
    }
}
