package io.iocluster.trace;

import io.iocluster.http.HttpRequest;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Outcome;

/** What is made of one message. */
public interface MessageTrace extends Traced {

    /** Of a message that nobody follows. */
    MessageTrace NONE = new MessageTrace() {};

    /** Null if nobody follows the message; then the trace is the one that the message came with, if any. */
    @Override
    default String traceparent() {
        return null;
    }

    /**
     * An attempt begins.
     *
     * @param number 1 for the first one of its call
     */
    default AttemptTrace startAttempt(HttpRequest request, int number) {
        return AttemptTrace.NONE;
    }

    /**
     * The message's call has come to its end, or its several calls together; what is said of it will be published, if anybody
     * wants it.
     *
     * @param failure null if it was answered
     */
    default void callEnded(Outcome outcome, ErrorCode failure) {}

    /**
     * Something is about to be published for the message.
     *
     * @param replyTo where to, if its sender has said it; null otherwise
     */
    default PublishTrace startPublish(PublishType what, String replyTo) {
        return PublishTrace.NONE;
    }

    /** The message has its end; told once, and last. */
    default void settled(SettlementType how) {}

    /** What is published for a message. */
    enum PublishType {
        ANSWER,
        DEAD_LETTER
    }

    /** How a message ends. */
    enum SettlementType {
        ACKNOWLEDGED,
        DELAYED,
        RELEASED
    }
}
