package io.iocluster.client;

import io.iocluster.message.SentStatus;

/**
 * The reason why a call has no answer. A call that failed at its target does have one, with the outcome {@code failed}.
 */
public abstract sealed class IoClusterException extends RuntimeException
        permits CallTimeoutException,
                ClientClosedException,
                ClientFullException,
                NotEnqueuedException,
                UnreadableAnswerException {

    private static final long serialVersionUID = 1L;

    private final String id;
    private final SentStatus sent;

    IoClusterException(String id, SentStatus sent, String message, Throwable cause) {
        super(message, cause);
        this.id = id;
        this.sent = sent;
    }

    /** Returns the request's id; null if it has none. */
    public String id() {
        return id;
    }

    /** Returns whether the target may have received the call, or may still receive it. */
    public SentStatus sent() {
        return sent;
    }
}
