package io.iocluster.client;

import io.iocluster.message.Sent;

/** What came back under the request's id is no answer that this client can read. */
public final class UnreadableAnswerException extends IoClusterException {

    private static final long serialVersionUID = 1L;

    UnreadableAnswerException(String id, IllegalArgumentException cause) {
        super(id, Sent.MAYBE, cause.getMessage(), cause);
    }
}
