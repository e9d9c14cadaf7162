package io.iocluster.http;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Makes single HTTP attempts. Each executor belongs to one event loop: {@link #execute} is called on that loop, and its
 * future always completes on that loop, never exceptionally unless it is cancelled.
 */
public interface HttpExecutor extends AutoCloseable {

    /**
     * Makes one attempt.
     *
     * @param timeout limits the whole attempt, from now to the last byte of the response. When it expires, the result is a failure with
     *     code {@code timeout}, or {@code connect-timeout} if there was no connection yet. An HTTP/1.1 connection in use is closed; on an
     *     HTTP/2 connection only the attempt's stream is reset
     * @param budget asked before each part of the body is stored
     * @return may be cancelled on the event loop; the attempt then ends at once, and its connection as after the timeout
     */
    CompletableFuture<HttpResult> execute(HttpRequest request, Duration timeout, BodyBudget budget);

    /**
     * Finds the upstreams behind a name, on the executor's event loop. The egress policy must allow all addresses of a host; it checks those
     * of a service when an attempt connects.
     *
     * @return at least one and at most {@code http.dns.max-addresses}; fails if there is none or an address is not allowed
     */
    CompletableFuture<List<UpstreamAddress>> resolve(UpstreamName name);

    /** Returns the current number of connections. Thread-safe. */
    ConnectionStats connectionStats();

    /** Closes every connection; open attempts fail. Thread-safe; returns without waiting. */
    @Override
    void close();

    /**
     * Counts of connections.
     *
     * @param active connections in use
     * @param idle connections without a call
     * @param hosts schemes, hosts and ports with a connection in the pool, in use or idle
     */
    record ConnectionStats(int active, int idle, int hosts) {}
}
