package io.iocluster.destination.policy;

/** What becomes of calls that a destination's line has no room for, and that must not hold up others. */
public enum QueueFullPolicy {
    /** They end with a code. */
    FAIL,
    /** They wait with the broker and come again. */
    DELAY
}
