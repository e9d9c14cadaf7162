package io.iocluster.transport.inprocess;

import io.iocluster.transport.Delivery;
import io.iocluster.transport.PauseReason;
import io.iocluster.transport.SourceStatus;
import java.util.Set;

/**
 * The messages that an {@link InProcessSource} offers. After a message was added, {@link InProcessSource#wake} must be called.
 * Thread-safe: the source's thread polls, any thread asks for the status.
 *
 * @param <D> a message, whose settlement belongs to the queue
 */
public interface InProcessQueue<D extends Delivery> {

    /** Removes the next message; null if there is none now. */
    D poll();

    /** Takes back a message that was polled and will not be accepted. */
    void giveBack(D message);

    /**
     * Tells the queue that its source is to stop. Called once.
     *
     * @return whether the source still offers the messages that wait, because no other process can take them
     */
    default boolean stop() {
        return false;
    }

    /** Tells the queue that its source has stopped, after the last {@link #poll}. Called once. */
    default void close() {}

    /**
     * Returns the status of the source.
     *
     * @param running whether the source has started and is not closed
     * @param reasons why the node or an operator pauses the source; may be changed
     * @param refused whether a message waits because the intake refused it
     */
    SourceStatus status(boolean running, Set<PauseReason> reasons, boolean refused);
}
