package io.iocluster.pipeline;

/**
 * When a message was taken, and how long its call may last.
 *
 * @param queuedMillis from the record's timestamp to its taking; negative if the broker does not say
 * @param takenNanos on {@link NodeClock#nanos}
 * @param deadlineNanos likewise; the one absolute deadline of the whole call
 * @param timeoutNanos bounds each attempt
 */
record CallClock(long queuedMillis, long takenNanos, long deadlineNanos, long timeoutNanos) {

    /** That of one of several calls of the message, whose attempts have a bound of their own. */
    CallClock ofBranch(long branchTimeoutNanos) {
        return new CallClock(queuedMillis, takenNanos, deadlineNanos, branchTimeoutNanos);
    }

    long leftNanos(long nowNanos) {
        return deadlineNanos - nowNanos;
    }

    /**
     * Whether an attempt that may last so long and runs out of time says something about its destination. It does where it has
     * half at least of what its timeout and its sender's deadline give a call that has not waited; with less, it may be that
     * lag or an earlier attempt has taken the time away.
     */
    boolean isTrial(long attemptNanos) {
        long wholeNanos = deadlineNanos - takenNanos + Math.max(0, queuedMillis) * 1_000_000;
        return attemptNanos >= Math.min(timeoutNanos, wholeNanos) / 2;
    }

    /** From the record's timestamp to now, negative if the broker does not say when it was put there. */
    long endToEndMillis(long nowNanos) {
        return queuedMillis < 0 ? -1 : queuedMillis + (nowNanos - takenNanos) / 1_000_000;
    }
}
