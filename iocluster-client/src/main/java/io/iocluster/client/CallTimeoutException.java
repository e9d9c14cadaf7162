package io.iocluster.client;

import io.iocluster.message.SentStatus;
import io.iocluster.settings.DurationText;
import java.time.Duration;

/** The deadline passed before the answer arrived, or before the broker confirmed an enqueued request. */
public final class CallTimeoutException extends IoClusterException {

    private static final long serialVersionUID = 1L;

    private final CallStage stage;

    /** @param broker the broker's addresses; null if the call has not come to it */
    CallTimeoutException(String id, Duration timeout, CallStage stage, String broker) {
        super(
                id,
                stage.sent,
                "no answer within " + DurationText.format(timeout) + ": " + stage.description
                        + (broker == null ? "" : "; broker: " + broker),
                null);
        this.stage = stage;
    }

    /** Returns the stage that the call had reached. */
    public CallStage stage() {
        return stage;
    }

    /** The stages of a call before its answer. */
    public enum CallStage {
        /** The call waited for a permit in the client. */
        NOT_SENT(SentStatus.NO, "the request was not sent, because the client was full"),
        /** The request was sent, and the broker has not confirmed it. */
        UNCONFIRMED(SentStatus.MAYBE, "the broker has not confirmed the request"),
        /** The broker has confirmed the request. It is not known whether a node has read it. */
        ENQUEUED(
                SentStatus.MAYBE,
                "the request was put on the queue, but no node has answered; it may still wait or be a dead letter");

        private final SentStatus sent;
        private final String description;

        CallStage(SentStatus sent, String description) {
            this.sent = sent;
            this.description = description;
        }
    }
}
