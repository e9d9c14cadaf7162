package io.iocluster.pipeline;

import io.iocluster.message.ErrorCode;
import io.iocluster.message.Outcome;
import io.iocluster.trace.Traced;

/**
 * What happens in a pipeline, for those who count it. Called on the node's hot path, from several threads: an
 * implementation neither blocks nor throws. {@code destination} is a {@linkplain
 * io.iocluster.destination.DestinationStatus#name destination's name}, of which there are many; bounding it is the
 * listener's.
 */
public interface PipelineEvents {

    PipelineEvents NONE = new PipelineEvents() {};

    /** A message was taken from the source; {@code queuedMillis} after it was put there, negative if unknown. */
    default void received(long queuedMillis) {}

    default void attempted(String destination) {}

    /** Another attempt will be made, because of a status such as {@code 503} or an error code. */
    default void retried(String destination, String reason) {}

    /** A call waits with the broker, because of a status, of an error code of its last attempt, or of a full line. */
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
     * A call was not answered, or its answer did not fit. For those who say which calls, not how many: {@link #callEnded} counts them.
     *
     * @param id the sender's, of any length
     * @param destination null if it was rejected before its URL was understood
     * @param message for people; holds no path, no query, no header's value and no body
     */
    default void callFailed(String id, String destination, ErrorCode error, String message, int attempts) {}

    /**
     * A message was settled; {@code endToEndMillis} after it was put on its queue, negative if unknown.
     *
     * @param call to be asked for its trace before this returns, or not at all
     */
    default void acknowledged(long endToEndMillis, Traced call) {}

    /** A message went back to the broker. */
    default void released() {}

    /** A dead letter was confirmed. */
    default void deadLettered(ErrorCode code) {}

    /** An answer is published again at a place where its publishing failed before. */
    default void answerRepublished() {}

    /** An answer could not be published at its reply place, and goes to the configured place or to the dead letters. */
    default void answerDiverted(boolean toDeadLetters) {}

    /** An answer was confirmed without the sender's headers, or with its key's hash, because the whole answer was too large. */
    default void answerTruncated() {}

    /** A dead letter was confirmed in a smaller version, because the whole one was too large for the broker. */
    default void deadLetterTruncated() {}

    /** The egress policy forbids a call with this code and, in report mode, lets it pass. */
    default void egressViolation(ErrorCode code) {}

    /** The watchdog ended a call that had outlived its deadline by a second. */
    default void watchdogTimeout(String destination) {}

    /** A worker died and was replaced. */
    default void workerReplaced(String worker) {}
}
