package io.iocluster.destination;

/**
 * A call as its destination sees it. The destination calls these methods under its lock: they must not block or call
 * back.
 */
public interface PendingCall {

    /** Returns the permit that the destination grants. */
    CallPermit permit();

    /** Returns when the call expires, on the node's monotonic clock. */
    long deadlineNanos();

    /** Returns the maximum duration of an attempt that starts now. */
    default long attemptNanos(long nowNanos) {
        return deadlineNanos() - nowNanos;
    }

    /** Returns the bytes that the call holds while it waits. */
    long queuedBytes();

    /** Returns whether the call had an attempt before it was offered. */
    default boolean isRetry() {
        return false;
    }
}
