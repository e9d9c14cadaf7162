package io.iocluster.simulation.network;

import io.iocluster.http.HttpResult;
import io.iocluster.message.ErrorCode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** One attempt of a node, as the network and the target saw it. Changes until it has ended; owned by the network. */
public final class Attempt {

    private final String call;
    private final int branch;
    private final String host;
    private final String method;
    private final String node;
    private final Duration timeout;
    private final long startNanos;
    private int seen;
    private long endNanos = -1;
    private HttpResult result;

    Attempt(String call, int branch, String host, String method, String node, Duration timeout, long startNanos) {
        this.call = call;
        this.branch = branch;
        this.host = host;
        this.method = method;
        this.node = node;
        this.timeout = timeout;
        this.startNanos = startNanos;
    }

    /** Returns the id of the call; null if the request has none. */
    public String call() {
        return call;
    }

    /** Returns the index of its request in the envelope. */
    public int branch() {
        return branch;
    }

    public String host() {
        return host;
    }

    public String method() {
        return method;
    }

    /** Returns the process that makes the attempt. */
    public String node() {
        return node;
    }

    /** Returns the timeout that the node gave it. */
    public Duration timeout() {
        return timeout;
    }

    public long startNanos() {
        return startNanos;
    }

    public long startMillis() {
        return startNanos / 1_000_000;
    }

    void seen() {
        seen++;
    }

    /** Returns how often the target has read the request. */
    public int timesSeen() {
        return seen;
    }

    public boolean isSeen() {
        return seen > 0;
    }

    void end(long nanos, HttpResult how) {
        endNanos = nanos;
        result = how;
    }

    public boolean isEnded() {
        return endNanos >= 0;
    }

    /** Returns when the node closed the attempt; negative if it never did. */
    public long endNanos() {
        return endNanos;
    }

    /** Returns the response that the node got; null if it got none. */
    public HttpResult.Response response() {
        return result instanceof HttpResult.Response response ? response : null;
    }

    /** Returns the body of the response as text. */
    public String body() {
        return response() == null ? "" : new String(response().body(), StandardCharsets.UTF_8);
    }

    /** Returns why the node got no response; null if it got one or cancelled the attempt. */
    public ErrorCode failure() {
        return result instanceof HttpResult.Failure failure ? failure.code() : null;
    }
}
