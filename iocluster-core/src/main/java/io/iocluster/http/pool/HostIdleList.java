package io.iocluster.http.pool;

/** The idle HTTP/1.1 connections of one host, newest first. */
final class HostIdleList {

    private PooledConnection newest;
    private PooledConnection oldest;
    private int size;

    PooledConnection newest() {
        return newest;
    }

    PooledConnection oldest() {
        return oldest;
    }

    int size() {
        return size;
    }

    void add(PooledConnection connection) {
        connection.olderOfHost = newest;
        if (newest == null) {
            oldest = connection;
        } else {
            newest.newerOfHost = connection;
        }
        newest = connection;
        size++;
    }

    void remove(PooledConnection connection) {
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
        size--;
    }
}
