package io.iocluster.destination;

/** A call as its destination sees it. The destination calls these methods under its lock, so they neither block nor call back. */
public interface PendingCall {

    /** Returns the permit that the destination grants. */
    CallPermit permit();

    /** Returns when the call expires, on the node's monotonic clock. */
    long deadlineNanos();

    /** Returns the bytes that the call holds while it waits. */
    long queuedBytes();

    /** Returns whether an attempt was made before the call came here. */
    default boolean isRetry() {
        return false;
    }
}
