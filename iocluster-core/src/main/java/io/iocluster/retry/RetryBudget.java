package io.iocluster.retry;

/**
 * What retries may cost one destination: a share of the calls made to it in the last ten seconds, and so many a second in any
 * case. The algorithm is that of Finagle's {@code RetryBudget}: each call puts tokens in, each retry takes some out, and both
 * are forgotten after ten seconds. Confined to its owner's lock; times are nanoseconds of one clock that never jumps.
 */
public final class RetryBudget {

    private static final int SECONDS = 10;
    private static final long SECOND_NANOS = 1_000_000_000L;
    /** So many tokens are one retry, and a call puts in one for each percent. */
    private static final long RETRY = 100;

    private final long[] slices = new long[SECONDS];
    private final int percent;
    private final long reserve;
    private long sliceStart;
    private int slice;
    private long sum;

    public RetryBudget(RetryBudgetSettings settings, long nowNanos) {
        this.percent = settings.percent();
        this.reserve = settings.minPerSecond() * RETRY * SECONDS;
        this.sliceStart = nowNanos;
    }

    /** A call is made for the first time. */
    public void recordCall(long nowNanos) {
        forget(nowNanos);
        add(percent);
    }

    /** Takes one retry out, if the budget has it. */
    public boolean tryRetry(long nowNanos) {
        forget(nowNanos);
        if (sum + reserve < RETRY) {
            return false;
        }
        add(-RETRY);
        return true;
    }

    private void add(long tokens) {
        slices[slice] += tokens;
        sum += tokens;
    }

    private void forget(long nowNanos) {
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
