package io.iocluster.http.ahc.pool;

/**
 * Limits for the idle connections of one executor.
 *
 * @param perHost maximum idle connections to one scheme, host and port, at least 1
 * @param total maximum idle connections, at least 1
 * @param idleTimeoutNanos how long a connection stays idle before it is closed
 * @param lifetimeNanos how long a connection is used again after its first call
 */
public record IdleLimits(int perHost, int total, long idleTimeoutNanos, long lifetimeNanos) {}
