package io.iocluster.pipeline.event;

import io.iocluster.hedge.HedgeResult;
import io.iocluster.http.HttpResult;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Outcome;
import io.iocluster.trace.Traced;
import io.iocluster.transport.IgnoredInput;

/**
 * Receives the events of a pipeline, for metrics and logs. Called on the node's hot path, from several threads: an implementation
 * must not block or throw. {@code destination} is a {@linkplain io.iocluster.destination.DestinationStatus#name destination's name}. There
 * can be many of them; the listener must limit how many it keeps.
 */
public interface PipelineEvents extends CallTap {

    PipelineEvents NONE = new PipelineEvents() {};

    /** A message was accepted from the source, {@code queuedMillis} after its timestamp; negative if unknown. */
    default void received(long queuedMillis) {}

    /** A part of an accepted message is not valid and was ignored. */
    default void inputIgnored(IgnoredInput input) {}

    /** A call of a message that is known to be delivered again was accepted. */
    default void redelivered(String destination) {}

    /**
     * An attempt started.
     *
     * @param bodyBytes size of the body to send, 0 for none
     */
    default void attempted(String destination, int bodyBytes) {}

    /**
     * An attempt ended.
     *
     * @param nanos from the start of the attempt to its result
     */
    default void attemptEnded(String destination, HttpResult result, long nanos) {}

    /** A second attempt of a slow call ended or could not start. */
    default void hedged(String destination, HedgeResult result) {}

    /** A call will be retried, because of a status such as {@code 503} or an error code. */
    default void retried(String destination, String reason) {}

    /** A call waits with the broker, because of a status, an error code of its last attempt, or a full wait queue. */
    default void delayed(String destination, String reason) {}

    /**
     * A call ended.
     *
     * @param destination null if it was rejected before its URL was understood
     * @param status 0 unless answered
     * @param error null if answered
     * @param nanos from when the message was taken, queue wait excluded
     * @param call to be asked for its trace before this returns, or not at all
     */
    default void callEnded(String destination, Outcome outcome, int status, ErrorCode error, long nanos, Traced call) {}

    /**
     * A call ended with an error: it was not answered, or with a 4xx or 5xx that its destination does not expect. Follows
     * {@link #callEnded}.
     *
     * @param destination null if the call was rejected before its URL was understood
     * @param error null if answered
     */
    default void callError(String destination, ErrorCode error) {}

    /**
     * A call was not answered, or its answer did not fit. For logs that name calls; {@link #callEnded} counts them.
     *
     * @param id the sender's id, of any length
     * @param destination null if it was rejected before its URL was understood
     * @param message text for people, without path, query, header values and body
     */
    default void callFailed(String id, String destination, ErrorCode error, String message, int attempts) {}

    /**
     * A message was settled, {@code endToEndMillis} after its timestamp; negative if unknown.
     *
     * @param call gives the trace; valid only until this method returns
     */
    default void acknowledged(long endToEndMillis, Traced call) {}

    /** A message went back to the broker. */
    default void released() {}

    /** A dead letter was confirmed. */
    default void deadLettered(ErrorCode code) {}

    /** An answer is published again to a topic or queue where publishing it failed before. */
    default void answerRepublished() {}

    /** An answer could not be published to its reply-to, and goes to the configured topic or queue or to the dead letters. */
    default void answerDiverted(boolean toDeadLetters) {}

    /**
     * An answer was confirmed without the sender's headers, with its key's hash, or with a truncated body, because the whole answer was
     * too large.
     */
    default void answerTruncated() {}

    /** A dead letter was confirmed in a smaller version, because the whole one was too large for the broker. */
    default void deadLetterTruncated() {}

    /** The egress policy forbids a call with this code and, in report mode, lets it pass. */
    default void egressViolation(ErrorCode code) {}

    /** The watchdog ended a call that had outlived its deadline by a second, although its event loop ran. */
    default void watchdogTimeout(String destination) {}

    /** A worker died and was replaced. */
    default void workerReplaced(String worker) {}
}
