package io.iocluster.transport;

/** Decides which topics or queues envelopes may name for their answers. Thread-safe. */
@FunctionalInterface
public interface ReplyToRules {

    /** Returns whether the request may name this topic or queue for its answer. */
    boolean isReplyToAllowed(Delivery request, String replyTo);

    /**
     * Returns whether the broker says that this topic or queue does not exist. Cheap, because it is called for each
     * envelope: returns false if unknown, and asks the broker in the background.
     *
     * @param replyTo one that is {@linkplain #isReplyToAllowed allowed}
     */
    default boolean isKnownMissing(String replyTo) {
        return false;
    }
}
