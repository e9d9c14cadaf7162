package io.iocluster.http.pool;

import io.iocluster.http.connection.HttpConnection;

/**
 * The pool's entry for one connection: its host, and its links in the two lists of idle connections, that of all hosts and that of its host.
 * Lives as long as the connection, so that becoming idle allocates nothing. Confined to the event loop.
 */
final class PooledConnection implements HttpConnection.Owner {

    final HttpConnection connection;
    final HostPool host;

    boolean idle;
    /** Whether the connection has ever been idle. */
    boolean pooled;
    /** Whether the pool opens a successor for the connection, which drains when the successor is ready. */
    boolean replaced;

    long idleSinceNanos;
    /** The iteration of the event loop in which the connection became idle. */
    long idleSinceIteration;

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
