package io.iocluster.http;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Makes single attempts. One executor belongs to one event loop: {@link #execute} is called on that loop and its stage
 * completes on it, always, and never exceptionally unless it is cancelled.
 */
public interface HttpExecutor extends AutoCloseable {

    /**
     * Makes one attempt.
     *
     * @param request what to call
     * @param timeout bounds the whole attempt, from now to the answer's last byte; when it passes, the connection is
     *     closed and the result is a failure with code {@code timeout}, or with {@code connect-timeout} if there was no
     *     connection yet
     * @param budget asked before each further part of the body is kept
     * @return to be cancelled, on the loop, when nobody wants the result any more: the attempt then ends at once and its
     *     connection is closed
     */
    CompletableFuture<HttpResult> execute(HttpRequest request, Duration timeout, BodyBudget budget);

    /** Connections now, for metrics. From any thread. */
    ConnectionStats connectionStats();

    /** Closes every connection; attempts under way fail. From any thread; returns without waiting. */
    @Override
    void close();

    /** How many connections are in use and how many wait for a call. */
    record ConnectionStats(int active, int idle) {}
}
