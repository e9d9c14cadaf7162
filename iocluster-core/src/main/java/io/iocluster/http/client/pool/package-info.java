/**
 * Holds the idle connections of one executor, with limits. {@link io.iocluster.http.client.pool.IdleConnections} owns the
 * limits and the idle timeout; async-http-client uses a {@link io.iocluster.http.client.pool.ConnectionPool} for each
 * connection profile.
 */
package io.iocluster.http.client.pool;
