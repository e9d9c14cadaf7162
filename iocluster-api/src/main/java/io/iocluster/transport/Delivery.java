package io.iocluster.transport;

/** One message from the broker. Immutable except for its {@link Settlement}; readable from any thread. */
public interface Delivery {

    /** Returns the message's bytes, empty if it has none. Callers never write to the array. */
    byte[] payload();

    /**
     * Returns why the transport could not read the whole message, in one human-readable line. Such a message becomes a
     * dead letter, whose payload is the part that could be read.
     *
     * @return null if the message was read
     */
    default String problem() {
        return null;
    }

    /**
     * Returns whether the broker is about to discard the message, because it was delivered too often. Such a message
     * becomes a dead letter without a call, and {@link #problem} says how often it was delivered.
     */
    default boolean isDeliveryLimitReached() {
        return false;
    }

    /** Returns how many bytes of heap this message holds until it is settled; the node's byte limits count them. */
    default long heldBytes() {
        return payload().length;
    }

    /**
     * Returns the value of this broker header as UTF-8, the last one if the header is repeated.
     *
     * @return null if there is none
     */
    String header(String name);

    /** Returns the message's trace context; null if it has none, or one that is not valid. */
    default TraceContext traceContext() {
        return TraceContext.read(this::header);
    }

    /** Returns whether the transport removed a property that is not valid, such as a correlation id that is not UTF-8. */
    default boolean hasIgnoredProperty() {
        return false;
    }

    /** Returns the AMQP correlation id, or null. */
    String correlationId();

    /** Returns the AMQP property {@code reply_to}, or null. */
    String replyTo();

    /**
     * Returns the message's position in its queue, the same at each delivery. It is the id of an envelope without one
     * and the {@code iocluster-source} of a dead letter.
     */
    String coordinates();

    /** Returns the name of the topic or queue that the message was read from; null if there is none. */
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

    /**
     * Returns whether this is known to be a redelivery, by the broker or after a release. A broker does not know all redeliveries: Kafka
     * knows none after a crash.
     */
    default boolean isRedelivered() {
        return false;
    }

    /** Returns when the message was put on the queue, in epoch milliseconds; negative if the broker does not say. */
    long timestampMillis();

    /**
     * Returns the message's time to live from its timestamp (AMQP's {@code expiration}), in milliseconds; negative if
     * it has none. A call is not tried after it.
     */
    default long timeToLiveMillis() {
        return -1;
    }

    /**
     * Claims the message for this node. Called immediately before an attempt, and before anything is published for the
     * message. Returns false if the broker has given the message to another consumer; the caller then releases the
     * message without a call. After it has returned true once, it always returns true.
     */
    default boolean claim() {
        return true;
    }

    /** Returns the settlement, always the same object. */
    Settlement settlement();
}
