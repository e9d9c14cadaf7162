package io.iocluster.transport;

/**
 * Settles one {@link Delivery}, once: only the first call of {@link #acknowledge} or {@link #release} has an effect. A
 * further call is a bug; the source counts it and ignores it. Thread-safe; no method blocks.
 */
public interface Settlement {

    /** Marks the delivery as done: the broker has confirmed its answer or dead letter, or it needs neither. */
    void acknowledge();

    /** Gives the delivery back unprocessed. It is redelivered after a backoff, on this node or another one. */
    void release();
}
