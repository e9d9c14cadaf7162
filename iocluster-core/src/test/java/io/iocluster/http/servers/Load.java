package io.iocluster.http.servers;

import io.iocluster.egress.TargetUrl;
import io.iocluster.http.HttpExecutor;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.netty.channel.EventLoop;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Makes the calls of a fault and checks their answers. As the pipeline does, it repeats an attempt that was certainly not processed. Confined
 * to the event loop of its executor, except for {@link #start} and {@link #ended}.
 */
final class Load {

    /** Attempts of a call, enough for a server that takes half a minute to start again. */
    private static final int ATTEMPTS_OF_RESTART = 40;
    /** If a server refuses one of ten streams, all eight attempts fail for one of a hundred million calls. */
    private static final int ATTEMPTS = 8;

    private static final Duration FIRST_BACKOFF = Duration.ofMillis(20);
    private static final Duration MAX_BACKOFF = Duration.ofSeconds(1);
    /** Longer than any answer takes on a busy machine. */
    private static final Duration TIMEOUT = Duration.ofSeconds(25);
    /** An attempt that has not ended this long after its timeout never ends. */
    private static final Duration NEVER = TIMEOUT.plusSeconds(20);
    /** Varies the pauses, so that some calls meet a connection that is being closed. */
    private static final int PAUSE_STEPS = 11;

    /** Bytes of an unexpected answer that a violation shows. */
    private static final int SHOWN_BYTES = 120;

    private final EventLoop loop;
    private final HttpExecutor executor;
    private final TargetUrl origin;
    private final Fault.Calls shape;
    private final Echo echo;
    private final int count;
    private final int maxAttempts;
    private final List<Attempt> attempts = new ArrayList<>();
    private final CompletableFuture<List<Attempt>> done = new CompletableFuture<>();

    private int begun;
    private volatile int ended;
    private int bursts;

    /** Creates a load of this many calls. */
    Load(EventLoop loop, HttpExecutor executor, TargetUrl origin, Fault fault, Echo echo, int count) {
        this.loop = loop;
        this.executor = executor;
        this.origin = origin;
        this.shape = fault.calls();
        this.echo = echo;
        this.count = count;
        this.maxAttempts = fault.interrupts() ? ATTEMPTS_OF_RESTART : ATTEMPTS;
    }

    /** Starts the calls. Thread-safe. The result has each attempt. */
    CompletableFuture<List<Attempt>> start() {
        loop.execute(this::startBurst);
        return done;
    }

    /** Returns the number of calls that have ended. Thread-safe. */
    int ended() {
        return ended;
    }

    private void startBurst() {
        bursts++;
        for (int i = 0; i < shape.atOnce() && begun < count; i++) {
            startNext();
        }
    }

    private void startNext() {
        attempt(begun++, 0);
    }

    private void attempt(int call, int number) {
        String id = "c" + call + "." + number;
        boolean post = shape.onlyPosts() || call % 2 == 1;
        Echo.Exchange exchange = echo.exchange(id, call, post ? shape.bodyBytes() : -1);
        String path = (post ? shape.path() : echo.getPath()) + "?id=" + id + "&size=" + exchange.responseBytes();
        HttpRequest request = new HttpRequest(
                post ? "POST" : "GET", new TargetUrl(origin.origin(), path), List.of(), post ? exchange.body() : null);
        CompletableFuture<HttpResult> attempt;
        try {
            attempt = executor.execute(request, TIMEOUT, bytes -> true);
        } catch (RuntimeException bug) {
            attempt = CompletableFuture.failedFuture(bug);
        }
        attempt.copy()
                .orTimeout(NEVER.toMillis(), TimeUnit.MILLISECONDS)
                .whenCompleteAsync((result, bug) -> end(call, number, request, exchange, result, bug), loop);
    }

    private void end(
            int call, int number, HttpRequest request, Echo.Exchange exchange, HttpResult result, Throwable bug) {
        boolean again = result instanceof HttpResult.Failure failure
                && failure.certainty().isUnprocessed()
                && number + 1 < maxAttempts;
        String problem = bug == null ? null : "no result: " + bug;
        if (result instanceof HttpResult.Response response) {
            problem = problemOf(response, request, exchange);
        }
        attempts.add(new Attempt("c" + call + "." + number, request.method(), !again, withoutBody(result), problem));
        if (again) {
            long backoff = Math.min(FIRST_BACKOFF.toMillis() << number, MAX_BACKOFF.toMillis());
            loop.schedule(() -> attempt(call, number + 1), backoff, TimeUnit.MILLISECONDS);
            return;
        }
        ended++;
        if (ended == count) {
            done.complete(attempts);
        } else if (shape.pause().isZero()) {
            if (begun < count) {
                startNext();
            }
        } else if (ended == begun) {
            // From 5 % less than the pause to 5 % more.
            long millis = shape.pause().toMillis();
            long varied = millis + millis * (bursts % PAUSE_STEPS - PAUSE_STEPS / 2) / 100;
            loop.schedule(this::startBurst, varied, TimeUnit.MILLISECONDS);
        }
    }

    /** Returns why a response is not the complete one that the server must give, or null. */
    private String problemOf(HttpResult.Response response, HttpRequest request, Echo.Exchange exchange) {
        if (response.status() != 200) {
            // The answer of a server that did not understand the request says what it saw.
            return response.status() == 400 ? startOf(response) : null;
        }
        if (response.truncated()) {
            return "truncated";
        }
        byte[] expected = exchange.response(request.method());
        if (Arrays.equals(expected, response.body())) {
            return null;
        }
        return "has " + response.body().length + " of " + expected.length + " bytes: " + startOf(response);
    }

    private static String startOf(HttpResult.Response response) {
        int shown = Math.min(SHOWN_BYTES, response.body().length);
        return new String(response.body(), 0, shown, StandardCharsets.ISO_8859_1);
    }

    private static HttpResult withoutBody(HttpResult result) {
        return result instanceof HttpResult.Response response
                ? new HttpResult.Response(
                        response.status(), response.headers(), new byte[0], response.truncated(), response.timing())
                : result;
    }
}
