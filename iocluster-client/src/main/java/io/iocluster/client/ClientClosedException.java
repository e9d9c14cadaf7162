package io.iocluster.client;

import io.iocluster.message.SentStatus;

/** The client was closed before the answer arrived. */
public final class ClientClosedException extends IoClusterException {

    private static final long serialVersionUID = 1L;

    ClientClosedException(String id, SentStatus sent) {
        super(id, sent, "the client is closed", null);
    }
}
