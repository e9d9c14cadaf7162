package io.iocluster.client;

import io.iocluster.message.SentStatus;

/** The client has reached its limit of outstanding calls; this call was not sent. */
public final class ClientFullException extends IoClusterException {

    private static final long serialVersionUID = 1L;

    ClientFullException(String id, int limit) {
        super(id, SentStatus.NO, limit + " calls are outstanding; raise maxOutstanding, or retry later", null);
    }
}
