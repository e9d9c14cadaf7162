package io.iocluster.destination;

/** What becomes of a call that arrives at its destination. */
public enum Admission {
    /** It has its pass; the attempt is to be made now. */
    ADMITTED,
    /** It stands in the line, and holds no place of the node's. */
    QUEUED,
    /** The line is full and moves on: offer it again a little later. */
    BACKPRESSURE,
    /** The line is full and stands still, or others must not be held up. */
    QUEUE_FULL,
    /** As {@link #QUEUE_FULL}, because the breaker is open. */
    BREAKER_OPEN
}
