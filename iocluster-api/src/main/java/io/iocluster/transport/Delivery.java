package io.iocluster.transport;

/** One message as the broker handed it over. Immutable but for its {@link Settlement}; readable from any thread. */
public interface Delivery {

    /** The message's bytes, empty when it has none. Callers never write to the array. */
    byte[] payload();

    /**
     * Returns why the transport could not read the whole message, in one human-readable line. Such a message becomes a dead letter,
     * whose payload is the part that could be read.
     *
     * @return null if the message was read
     */
    default String problem() {
        return null;
    }

    /** Returns how many bytes of heap this message holds until it is settled; the node's byte limits count them. */
    default long heldBytes() {
        return payload().length;
    }

    /**
     * The value of the broker header with this name, the last one if it is repeated, read as UTF-8.
     *
     * @return null if there is none
     */
    String header(String name);

    /** The broker's own correlation id (AMQP), or null. */
    String correlationId();

    /** Where the broker's own protocol asks for the answer to be sent (AMQP's {@code reply_to}), or null. */
    String replyTo();

    /**
     * Where this message stands in its queue, the same at each delivery; serves as the id of an envelope that has none
     * and as the {@code iocluster-source} of a dead letter.
     */
    String coordinates();

    /** The name of the topic or queue that it was read from; null if it has none. */
    default String queue() {
        return null;
    }

    /**
     * Returns whether the message comes from this transport's own delay topics or queues. Only then can its {@linkplain
     * ReservedHeaders reserved headers} be trusted, because a producer may write the same headers.
     */
    default boolean isDelayedRetry() {
        return false;
    }

    /** When the message was put on the queue, in milliseconds since the epoch; negative if the broker does not say. */
    long timestampMillis();

    /**
     * How long after its timestamp the sender wants the message at all (AMQP's {@code expiration}), in milliseconds; negative
     * if it does not say. A call that is later is not tried.
     */
    default long timeToLiveMillis() {
        return -1;
    }

    /**
     * Claims the message for this node, immediately before an attempt and before anything is published for the message. Returns
     * false if the broker has given the message to another consumer meanwhile: then the message is released without a call.
     * After it has returned true once, it always returns true.
     */
    default boolean claim() {
        return true;
    }

    Settlement settlement();
}
