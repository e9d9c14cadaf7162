package io.iocluster.destination;

/** Result of offering a call to its destination, or to its app before. */
public enum Admission {
    /** The permit is granted; the attempt starts now. */
    ADMITTED,
    /** The call waits in the queue and holds no slot of the node. */
    QUEUED,
    /** The queue is full for now, or the destination is closed; the source keeps the call and offers it again. */
    BACKPRESSURE,
    /** The queue is full and makes no progress, or would delay other destinations. */
    QUEUE_FULL,
    /** Like {@link #QUEUE_FULL}, while the breaker is open. */
    BREAKER_OPEN,
    /** The app that sent the call is over its quota, and too many of its calls wait. */
    OVER_QUOTA
}
