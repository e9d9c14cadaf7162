package io.iocluster.http.client.pool;

import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import org.asynchttpclient.netty.channel.Http2ConnectionState;

/**
 * Node of a connection in the two lists that an idle connection is in: by idle time over all hosts, and by idle time
 * within its host. A connection has one node for life, so that becoming idle allocates nothing. Confined to one event
 * loop.
 */
final class IdleConnection {

    static final AttributeKey<IdleConnection> KEY = AttributeKey.valueOf(IdleConnection.class, "idle");

    final Channel channel;
    final long firstIdleNanos;

    /** The host's list; null for an HTTP/2 connection, which is not in a pool. */
    HostConnections host;

    boolean idle;
    long idleSinceNanos;
    IdleConnection older;
    IdleConnection newer;
    IdleConnection olderOfHost;
    IdleConnection newerOfHost;

    IdleConnection(Channel channel, long nowNanos) {
        this.channel = channel;
        this.firstIdleNanos = nowNanos;
    }

    /** Returns whether the connection has open HTTP/2 streams. Such a connection is in use although it is listed. */
    boolean hasOpenStreams() {
        return host == null
                && channel.attr(Http2ConnectionState.HTTP2_STATE_KEY).get().getActiveStreams() > 0;
    }
}
