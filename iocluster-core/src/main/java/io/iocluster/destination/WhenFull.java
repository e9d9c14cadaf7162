package io.iocluster.destination;

/** What becomes of a call when its destination's waiting line is full. */
public enum WhenFull {
    /** It fails at once, and is answered with the reason. */
    FAIL
}
