package io.iocluster.client;

import io.iocluster.message.SentStatus;

/** The message with the request's id is not an answer that this client can decode. */
public final class UnreadableAnswerException extends IoClusterException {

    private static final long serialVersionUID = 1L;

    UnreadableAnswerException(String id, IllegalArgumentException cause) {
        super(id, SentStatus.MAYBE, cause.getMessage(), cause);
    }
}
