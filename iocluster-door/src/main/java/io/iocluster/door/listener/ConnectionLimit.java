package io.iocluster.door.listener;

import io.netty.channel.Channel;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Bounds the number of open connections. If it exceeds the limit, the oldest connection is closed, so that idle clients cannot lock
 * out probes. Confined to the event loop of the server.
 */
final class ConnectionLimit {

    private final int limit;
    private final Set<Channel> oldestFirst = new LinkedHashSet<>();

    /**
     * Creates the limit.
     *
     * @param limit most connections that are open at once, 1 or more
     */
    ConnectionLimit(int limit) {
        this.limit = limit;
    }

    /** Adds a connection; it is removed when it closes. */
    void add(Channel connection) {
        oldestFirst.add(connection);
        connection.closeFuture().addListener(closed -> oldestFirst.remove(connection));
        if (oldestFirst.size() > limit) {
            Channel oldest = oldestFirst.iterator().next();
            oldestFirst.remove(oldest);
            oldest.close();
        }
    }
}
