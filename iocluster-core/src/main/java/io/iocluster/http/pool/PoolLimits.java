package io.iocluster.http.pool;

/**
 * Limits for the connections of one executor.
 *
 * @param connectionsPerHost maximum connections to one scheme, host and port; 0 for no limit
 * @param idlePerHost maximum idle connections to one scheme, host and port, at least 1
 * @param idle maximum idle connections, at least 1
 * @param idleTimeoutNanos how long a connection may stay idle before the pool closes it
 * @param lifetimeNanos how long a connection is used, from the time when it was opened
 */
public record PoolLimits(
        int connectionsPerHost, int idlePerHost, int idle, long idleTimeoutNanos, long lifetimeNanos) {}
