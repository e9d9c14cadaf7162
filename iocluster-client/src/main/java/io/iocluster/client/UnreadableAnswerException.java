package io.iocluster.client;

import io.iocluster.message.SentStatus;

/** What came back under the request's id is no answer that this client can read. */
public final class UnreadableAnswerException extends IoClusterException {

    private static final long serialVersionUID = 1L;

    UnreadableAnswerException(String id, IllegalArgumentException cause) {
        super(id, SentStatus.MAYBE, cause.getMessage(), cause);
    }
}
