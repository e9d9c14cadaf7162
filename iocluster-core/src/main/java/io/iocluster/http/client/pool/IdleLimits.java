package io.iocluster.http.client.pool;

/**
 * Limits for the idle connections of one executor.
 *
 * @param perHost maximum idle connections to one scheme, host and port, at least 1
 * @param total maximum idle connections, at least 1
 * @param idleTimeoutNanos how long a connection may stay idle before the pool closes it
 * @param lifetimeNanos how long the pool reuses a connection, from the end of its first call
 */
public record IdleLimits(int perHost, int total, long idleTimeoutNanos, long lifetimeNanos) {}
