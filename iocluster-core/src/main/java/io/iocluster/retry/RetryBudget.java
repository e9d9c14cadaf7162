package io.iocluster.retry;

/**
 * Limits the retries at one destination to a percentage of its calls in the last ten seconds, plus a fixed number each
 * second. The algorithm is that of Finagle's {@code RetryBudget}: each call deposits tokens, each retry withdraws some,
 * and both expire after ten seconds. Guarded by the owner's lock. All times are nanoseconds of one monotonic clock.
 */
public final class RetryBudget {

    private static final int SECONDS = 10;
    private static final long SECOND_NANOS = 1_000_000_000L;
    /** Tokens that one retry costs; a call deposits one token for each percent. */
    private static final long TOKENS_PER_RETRY = 100;

    private final long[] slices = new long[SECONDS];
    private final int percent;
    private final long reserve;
    private long sliceStart;
    private int slice;
    private long sum;

    public RetryBudget(RetryBudgetSettings settings, long nowNanos) {
        this.percent = settings.percent();
        this.reserve = settings.minPerSecond() * TOKENS_PER_RETRY * SECONDS;
        this.sliceStart = nowNanos;
    }

    /** Records the first attempt at a call. */
    public void recordCall(long nowNanos) {
        expire(nowNanos);
        add(percent);
    }

    /** Returns whether the budget has room for a retry. */
    public boolean hasRetry(long nowNanos) {
        expire(nowNanos);
        return sum + reserve >= TOKENS_PER_RETRY;
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
        expire(nowNanos);
        add(-TOKENS_PER_RETRY);
    }

    private void add(long tokens) {
        slices[slice] += tokens;
        sum += tokens;
    }

    private void expire(long nowNanos) {
        for (int i = 0; nowNanos - sliceStart >= SECOND_NANOS; i++) {
            if (i == SECONDS) {
                sliceStart = nowNanos;
                return;
            }
            sliceStart += SECOND_NANOS;
            slice = slice + 1 == SECONDS ? 0 : slice + 1;
            sum -= slices[slice];
            slices[slice] = 0;
        }
    }
}
