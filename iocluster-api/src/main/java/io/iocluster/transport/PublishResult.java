package io.iocluster.transport;

/** How a publish ended, as the broker said it. */
public sealed interface PublishResult {

    PublishResult CONFIRMED = new Confirmed(null);

    /**
     * The broker confirmed the message.
     *
     * @param cut what was left out so that the broker accepts it, one of {@link TruncatableMessage#TRUNCATIONS}; null for nothing
     */
    record Confirmed(String truncation) implements PublishResult {}

    /**
     * The message is larger than the broker takes; a smaller one in its place may pass.
     *
     * @param problem for people
     */
    record TooLarge(String problem) implements PublishResult {}

    /**
     * The broker says that the topic, queue or exchange does not exist. Nothing was published.
     *
     * @param problem for people
     */
    record UnknownTopicOrQueue(String problem) implements PublishResult {}

    /**
     * Not published, or not known to be: the request must not be acknowledged.
     *
     * @param problem for people
     */
    record Failed(String problem) implements PublishResult {}

    /** Returns what went wrong, in human-readable form; null if the message is confirmed. */
    static String problem(PublishResult result) {
        if (result instanceof TooLarge tooLarge) {
            return tooLarge.problem();
        } else if (result instanceof UnknownTopicOrQueue unknown) {
            return unknown.problem();
        }
        return result instanceof Failed failed ? failed.problem() : null;
    }
}
