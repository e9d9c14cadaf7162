package io.iocluster.transport;

/** The broker's result of a publish. */
public sealed interface PublishResult {

    PublishResult CONFIRMED = new Confirmed(null);

    /**
     * The broker confirmed the message.
     *
     * @param truncation what was omitted so that the broker accepts the message, one of {@link
     *     TruncatableMessage#TRUNCATIONS}; null if nothing was
     */
    record Confirmed(String truncation) implements PublishResult {}

    /**
     * The message exceeds the broker's size limit; a smaller version may be accepted.
     *
     * @param problem human-readable
     * @param maxPayload largest payload in bytes that fits beside the key and the headers; {@link #UNKNOWN_LIMIT} if the
     *     broker did not say; at most 0 if key and headers alone are too large
     */
    record TooLarge(String problem, long maxPayload) implements PublishResult {

        public static final long UNKNOWN_LIMIT = Long.MAX_VALUE;

        /** Creates the result of a broker that did not say what it accepts. */
        public TooLarge(String problem) {
            this(problem, UNKNOWN_LIMIT);
        }
    }

    /**
     * The broker says that the topic, queue or exchange does not exist. Nothing was published.
     *
     * @param problem human-readable
     */
    record UnknownTopicOrQueue(String problem) implements PublishResult {}

    /**
     * The message is not confirmed; it may or may not have been published. The request must not be acknowledged.
     *
     * @param problem human-readable
     */
    record Failed(String problem) implements PublishResult {}

    /** Returns the human-readable problem; null if the message is confirmed. */
    static String problem(PublishResult result) {
        if (result instanceof TooLarge tooLarge) {
            return tooLarge.problem();
        } else if (result instanceof UnknownTopicOrQueue unknown) {
            return unknown.problem();
        }
        return result instanceof Failed failed ? failed.problem() : null;
    }
}
