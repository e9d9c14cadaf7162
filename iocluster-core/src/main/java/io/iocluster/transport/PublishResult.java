package io.iocluster.transport;

/** How a publish ended, as the broker said it. */
public sealed interface PublishResult {

    PublishResult CONFIRMED = new Confirmed();

    /** The broker holds the message. */
    record Confirmed() implements PublishResult {}

    /**
     * The message is larger than the broker takes; a smaller one in its place may pass.
     *
     * @param problem for people
     */
    record TooLarge(String problem) implements PublishResult {}

    /**
     * Not published, or not known to be: the request must not be acknowledged.
     *
     * @param problem for people
     */
    record Failed(String problem) implements PublishResult {}
}
