package io.iocluster.client;

import io.iocluster.message.SentStatus;
import io.iocluster.settings.DurationText;
import java.time.Duration;

/** The deadline came before the answer, or before the broker's confirmation of what was enqueued. */
public final class CallTimeoutException extends IoClusterException {

    private static final long serialVersionUID = 1L;

    private final CallStage progress;

    CallTimeoutException(String id, Duration within, CallStage progress) {
        super(id, progress.sent, "no answer within " + DurationText.format(within) + ": " + progress.meaning, null);
        this.progress = progress;
    }

    /** How far the call had come. */
    public CallStage stage() {
        return progress;
    }

    /** How far a call comes before it is answered. */
    public enum CallStage {
        /** It waited for a place in the client. */
        NOT_SENT(SentStatus.NO, "it was not sent, for the client was full"),
        /** It was given to the broker, which has not confirmed that it holds it. */
        UNCONFIRMED(SentStatus.MAYBE, "the broker has not confirmed that it holds the request"),
        /** The broker holds it, or held it; whether a node has made the call nobody has said. */
        ENQUEUED(
                SentStatus.MAYBE,
                "the request is on the queue, or was; no node has answered, or it became a dead letter");

        private final SentStatus sent;
        private final String meaning;

        CallStage(SentStatus sent, String meaning) {
            this.sent = sent;
            this.meaning = meaning;
        }
    }
}
