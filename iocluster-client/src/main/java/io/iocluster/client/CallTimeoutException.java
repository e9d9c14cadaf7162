package io.iocluster.client;

import io.iocluster.message.Sent;
import io.iocluster.settings.DurationText;
import java.time.Duration;

/** The deadline came before the answer, or before the broker's confirmation of what was enqueued. */
public final class CallTimeoutException extends IoClusterException {

    private static final long serialVersionUID = 1L;

    private final Progress progress;

    CallTimeoutException(String id, Duration within, Progress progress) {
        super(id, progress.sent, "no answer within " + DurationText.format(within) + ": " + progress.meaning, null);
        this.progress = progress;
    }

    /** How far the call had come. */
    public Progress progress() {
        return progress;
    }

    /** How far a call comes before it is answered. */
    public enum Progress {
        /** It waited for a place in the client. */
        WAITING(Sent.NO, "it was not sent, for the client was full"),
        /** It was given to the broker, which has not confirmed that it holds it. */
        UNCONFIRMED(Sent.MAYBE, "the broker has not confirmed that it holds the request"),
        /** The broker holds it, or held it; whether a node has made the call nobody has said. */
        ENQUEUED(Sent.MAYBE, "the request is on the queue, or was; no node has answered, or it became a dead letter");

        private final Sent sent;
        private final String meaning;

        Progress(Sent sent, String meaning) {
            this.sent = sent;
            this.meaning = meaning;
        }
    }
}
