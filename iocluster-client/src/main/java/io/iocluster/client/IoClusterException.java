package io.iocluster.client;

import io.iocluster.message.SentStatus;

/** Why a call has no answer. A call that failed at its target is no such case: that is an answer. */
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

    /** The request's id; null if it has none. */
    public String id() {
        return id;
    }

    /** Whether the target may have seen the call, or may yet see it. */
    public SentStatus sent() {
        return sent;
    }
}
