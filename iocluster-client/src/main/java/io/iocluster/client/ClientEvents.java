package io.iocluster.client;

import java.time.Duration;

/**
 * What happens in a client, for metrics and logs. Called on threads of the client's own that everything waits for: implementations
 * count and return; what they throw ends in the log. Each call that was {@link #started} ends in one {@link #answered} or {@link #failed}.
 */
public interface ClientEvents {

    /** Counts nothing. */
    ClientEvents NONE = new ClientEvents() {};

    /** A call or an envelope to be enqueued has its place and is given to the broker. */
    default void started() {}

    /** The answer to a call is there, whatever its outcome, so long after the call began. */
    default void answered(Duration took) {}

    /** The broker has confirmed an envelope that was enqueued, so long after that began. */
    default void enqueued(Duration took) {}

    /** A call or an envelope to be enqueued came to nothing; one that was refused a place never began. */
    default void failed(IoClusterException failure) {}

    /** A listener was given an answer and is done with it. */
    default void answerHandled() {}

    /** A listener failed; the answer is handed over again after a wait. */
    default void answerHandlerFailed(Throwable failure) {}

    /** A listener was spared an answer that it has had. */
    default void duplicateAnswer() {}

    /** Something stood among the answers that is none; it was passed over. */
    default void unreadableAnswer() {}
}
