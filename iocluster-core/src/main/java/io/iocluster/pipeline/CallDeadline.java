package io.iocluster.pipeline;

/**
 * When a message was taken, and how long its call may last.
 *
 * @param queuedMillis from the record's timestamp to its taking; negative if the broker does not say
 * @param takenNanos on {@link NodeClock#nanos}
 * @param deadlineNanos likewise; the one absolute deadline of the whole call
 * @param timeoutNanos bounds each attempt
 */
record CallDeadline(long queueWaitMillis, long receivedNanos, long deadlineNanos, long attemptTimeoutNanos) {

    /** That of one of several calls of the message, whose attempts have a bound of their own. */
    CallDeadline withAttemptTimeout(long branchTimeoutNanos) {
        return new CallDeadline(queueWaitMillis, receivedNanos, deadlineNanos, branchTimeoutNanos);
    }

    long remainingNanos(long nowNanos) {
        return deadlineNanos - nowNanos;
    }

    /**
     * Whether an attempt that may last so long and runs out of time says something about its destination. It does where it has
     * half at least of what its timeout and its sender's deadline give a call that has not waited; with less, it may be that
     * lag or an earlier attempt has taken the time away.
     */
    boolean isConclusiveTimeout(long attemptNanos) {
        long wholeNanos = deadlineNanos - receivedNanos + Math.max(0, queueWaitMillis) * 1_000_000;
        return attemptNanos >= Math.min(attemptTimeoutNanos, wholeNanos) / 2;
    }

    /** From the record's timestamp to now, negative if the broker does not say when it was put there. */
    long endToEndMillis(long nowNanos) {
        return queueWaitMillis < 0 ? -1 : queueWaitMillis + (nowNanos - receivedNanos) / 1_000_000;
    }
}
