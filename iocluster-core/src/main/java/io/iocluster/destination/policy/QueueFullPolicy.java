package io.iocluster.destination.policy;

/** What the node does with a call that a full wait queue does not accept. */
public enum QueueFullPolicy {
    /** The call ends with an error code. */
    FAIL,
    /** The call becomes a delayed retry. */
    DELAY
}
