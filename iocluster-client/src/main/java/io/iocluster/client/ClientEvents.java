package io.iocluster.client;

import java.time.Duration;

/**
 * Receives the events of a client, for metrics and logs. Called on the client's internal threads and by its callers, so
 * implementations must be thread-safe and must not block; the client logs what they throw. Each call that was {@link
 * #started} ends in exactly one {@link #answered} or {@link #failed}.
 */
public interface ClientEvents {

    /** Ignores all events. */
    ClientEvents NONE = new ClientEvents() {};

    /** Called when a call or an enqueue has its permit and is about to be sent. */
    default void started() {}

    /**
     * Called when the answer to a call has arrived, whatever its outcome.
     *
     * @param elapsed since the start of the call
     */
    default void answered(Duration elapsed) {}

    /**
     * Called when the broker has confirmed an enqueued envelope.
     *
     * @param elapsed since the start of the enqueue
     */
    default void enqueued(Duration elapsed) {}

    /** Called when a call or an enqueue fails. One that got no permit was never {@link #started}. */
    default void failed(IoClusterException failure) {}

    /** Called when a listener has handled an answer. */
    default void answerHandled() {}

    /** Called when a listener has failed; the answer is redelivered after a backoff. */
    default void answerHandlerFailed(Throwable failure) {}

    /** Called when a duplicate answer is skipped. */
    default void duplicateAnswer() {}

    /** Called when a message among the answers cannot be decoded and is skipped. */
    default void unreadableAnswer() {}
}
