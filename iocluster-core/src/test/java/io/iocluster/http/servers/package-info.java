/**
 * The matrix of real servers: calls through the executor to servers as they are installed, while these reload, close connections and are
 * killed. {@link io.iocluster.http.servers.ServerMatrix} is the program behind {@code bin/servers}. A server is a folder below {@code
 * servers} of the test resources; to add one, add a folder.
 */
package io.iocluster.http.servers;
