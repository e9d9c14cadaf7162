package io.iocluster.http.pool;

/**
 * The idle connections of all hosts, by the time of their last use. An intrusive list, so adding and removing take constant time and
 * allocate nothing.
 */
final class IdleList {

    private PooledConnection oldest;
    private PooledConnection newest;
    private int size;

    PooledConnection oldest() {
        return oldest;
    }

    int size() {
        return size;
    }

    void add(PooledConnection connection, long nowNanos) {
        connection.idle = true;
        connection.idleSinceNanos = nowNanos;
        connection.older = newest;
        if (newest == null) {
            oldest = connection;
        } else {
            newest.newer = connection;
        }
        newest = connection;
        size++;
    }

    void remove(PooledConnection connection) {
        connection.idle = false;
        if (connection.newer == null) {
            newest = connection.older;
        } else {
            connection.newer.older = connection.older;
        }
        if (connection.older == null) {
            oldest = connection.newer;
        } else {
            connection.older.newer = connection.newer;
        }
        connection.newer = null;
        connection.older = null;
        size--;
    }
}
