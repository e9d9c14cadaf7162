package io.iocluster.http.pool;

import io.iocluster.http.connection.HttpConnection;

/**
 * A connection's place in the pool: its host, and its nodes in the two lists of idle connections, by idle time over all hosts and within its
 * host. Lives as long as the connection, so that becoming idle allocates nothing. Confined to the event loop.
 */
final class PooledConnection implements HttpConnection.Owner {

    final HttpConnection connection;
    final HostPool host;

    boolean idle;
    /** Whether the connection was idle once. */
    boolean pooled;

    long idleSinceNanos;
    /** The turn of the event loop in which the connection became idle. */
    long idleSinceTurn;

    PooledConnection older;
    PooledConnection newer;
    PooledConnection olderOfHost;
    PooledConnection newerOfHost;

    PooledConnection(HttpConnection connection, HostPool host) {
        this.connection = connection;
        this.host = host;
    }

    @Override
    public void onChange() {
        host.changed(this);
    }

    @Override
    public void onClosed() {
        host.closed(this);
    }
}
