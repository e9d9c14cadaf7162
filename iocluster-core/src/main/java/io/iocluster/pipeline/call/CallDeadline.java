package io.iocluster.pipeline.call;

/**
 * The deadline of a call and the times that it was computed from. Immutable.
 *
 * @param queueWaitMillis from the message's timestamp until the node read it; negative if the broker gives no timestamp
 * @param receivedNanos when the node read the message, on {@link io.iocluster.thread.NodeClock#nanos}
 * @param deadlineNanos absolute deadline of the whole call, on {@link io.iocluster.thread.NodeClock#nanos}
 * @param attemptTimeoutNanos maximum duration of one attempt
 */
public record CallDeadline(long queueWaitMillis, long receivedNanos, long deadlineNanos, long attemptTimeoutNanos) {

    /** Returns the deadline of a branch with its own attempt timeout. */
    public CallDeadline withAttemptTimeout(long branchTimeoutNanos) {
        return new CallDeadline(queueWaitMillis, receivedNanos, deadlineNanos, branchTimeoutNanos);
    }

    public long remainingNanos(long nowNanos) {
        return deadlineNanos - nowNanos;
    }

    /**
     * Returns whether an attempt with this limit had at least half of the time of a call that did not wait. That time follows from the
     * timeout and the sender's deadline. With less, queue wait or an earlier attempt may have used up the time.
     */
    boolean isFullAttempt(long attemptNanos) {
        long wholeNanos = deadlineNanos - receivedNanos + Math.max(0, queueWaitMillis) * 1_000_000;
        return attemptNanos >= Math.min(attemptTimeoutNanos, wholeNanos) / 2;
    }

    /** Returns the time since the message's timestamp; negative if the broker gives none. */
    public long endToEndMillis(long nowNanos) {
        return queueWaitMillis < 0 ? -1 : queueWaitMillis + (nowNanos - receivedNanos) / 1_000_000;
    }
}
