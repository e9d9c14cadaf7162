package io.iocluster.destination;

/** What becomes of a call that arrives at its destination. */
public enum Arrival {
    /** It has its pass; the attempt is to be made now. */
    ADMITTED,
    /** It stands in the line, and holds no place of the node's. */
    WAITS,
    /** The line is full and moves on: offer it again a little later. */
    AGAIN,
    /** The line is full and stands still, or others must not be held up. */
    FULL,
    /** As {@link #FULL}, because the breaker is open. */
    BREAKER_OPEN
}
