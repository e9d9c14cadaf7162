package io.iocluster.trace;

import io.iocluster.http.HttpRequest;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Outcome;

/** Traces one message. */
public interface MessageTrace extends Traced {

    /** Traces nothing. */
    MessageTrace NONE = new MessageTrace() {};

    /** Returns null if the message is not traced; the trace context that it arrived with applies then, if any. */
    @Override
    default String traceparent() {
        return null;
    }

    /**
     * Starts the trace of an attempt.
     *
     * @param number the attempt's number in its call, from 1
     */
    default AttemptTrace startAttempt(HttpRequest request, int number) {
        return AttemptTrace.NONE;
    }

    /**
     * Records the outcome of the message's call, or of all its calls together, before an answer is published.
     *
     * @param failure null if the target answered
     */
    default void callEnded(Outcome outcome, ErrorCode failure) {}

    /**
     * Starts the trace of a publish for the message.
     *
     * @param replyTo the topic or queue that the envelope names, or null if it names none
     */
    default PublishTrace startPublish(PublishType type, String replyTo) {
        return PublishTrace.NONE;
    }

    /** Records how the message was settled. Called once, after every other method. */
    default void settled(SettlementType type) {}

    /** Kind of message that is published for a request. */
    enum PublishType {
        ANSWER,
        DEAD_LETTER
    }

    /** Ways to settle a message. */
    enum SettlementType {
        ACKNOWLEDGED,
        DELAYED,
        RELEASED
    }
}
