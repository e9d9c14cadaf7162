package io.iocluster.node.admin;

import io.netty.channel.Channel;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Bounds the open connections: the oldest is closed when one more than the limit is open, so that clients that hold connections
 * without a request never keep a probe out. Confined to the server's one event loop.
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

    /** Adds a connection until it closes. */
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
