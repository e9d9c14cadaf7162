package io.iocluster.http.client.pool;

/**
 * The idle connections of one host, newest first. Exists as long as the host has a connection that was idle once, so
 * that a busy host does not create one for each call. Confined to one event loop.
 */
final class HostConnections {

    final ConnectionPool pool;
    final Object key;

    /** Open connections of the host that were idle once. */
    int openConnections;

    private IdleConnection newest;
    private IdleConnection oldest;
    private int idle;

    HostConnections(ConnectionPool pool, Object key) {
        this.pool = pool;
        this.key = key;
    }

    IdleConnection newest() {
        return newest;
    }

    IdleConnection oldest() {
        return oldest;
    }

    int idle() {
        return idle;
    }

    void add(IdleConnection connection) {
        connection.olderOfHost = newest;
        if (newest == null) {
            oldest = connection;
        } else {
            newest.newerOfHost = connection;
        }
        newest = connection;
        idle++;
    }

    void remove(IdleConnection connection) {
        if (connection.newerOfHost == null) {
            newest = connection.olderOfHost;
        } else {
            connection.newerOfHost.olderOfHost = connection.olderOfHost;
        }
        if (connection.olderOfHost == null) {
            oldest = connection.newerOfHost;
        } else {
            connection.olderOfHost.newerOfHost = connection.newerOfHost;
        }
        connection.newerOfHost = null;
        connection.olderOfHost = null;
        idle--;
    }
}
