package io.iocluster.destination;

/**
 * A call as its destination sees it: what waits in its line, and takes its turn. The destination calls these methods under
 * its lock, so that they neither block nor call back.
 */
public interface PendingCall {

    /** Until when it may last, on the node's clock that never jumps. */
    long deadlineNanos();

    /** The bytes that it holds while it waits. */
    long heldBytes();

    /** Returns how many bytes each of its attempts reserves for the answer. */
    default long reservedBytes() {
        return 0;
    }

    /** Whether something else has ended it, while it waited. */
    boolean isEnded();

    /** Whether attempts were made at it before it came here. */
    default boolean isRetry() {
        return false;
    }

    /** Takes a place among the node's calls in flight, if one is free. */
    boolean tryAcquireSlot();

    /** Its turn has come: the pass is its place at the destination, for one attempt. */
    void onAdmitted(AttemptPermit pass);
}
