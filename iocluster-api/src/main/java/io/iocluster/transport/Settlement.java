package io.iocluster.transport;

/**
 * What becomes of one {@link Delivery}: exactly one of {@link #acknowledge} and {@link #release} takes effect, the first
 * call. A further call changes nothing and is counted by the source, for it is a bug. Both may be called from any thread
 * and never block.
 */
public interface Settlement {

    /** The delivery is done: its answer or its dead letter is confirmed by the broker, or it wants neither. */
    void acknowledge();

    /** The delivery goes back untouched; after a wait it is handed over again, here or by the broker on another node. */
    void release();
}
