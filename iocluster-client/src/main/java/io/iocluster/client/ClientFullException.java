package io.iocluster.client;

import io.iocluster.message.SentStatus;

/** As many calls are outstanding as may be; this one was not sent. */
public final class ClientFullException extends IoClusterException {

    private static final long serialVersionUID = 1L;

    ClientFullException(String id, int limit) {
        super(id, SentStatus.NO, limit + " calls are outstanding, and no more may be", null);
    }
}
