package io.iocluster.examples.attribution;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;

/** A local server that simulates a partner. Thread-safe. */
final class StandIn implements AutoCloseable {

    /** The body of an answer that has no match; without a body, the status is 204. */
    static final String NO_BODY = "";

    static final String NO_MATCH = "{\"match\": false}";

    private static final String MATCH = "{\"match\": true}";
    private static final String QUERY = "launch=";

    private final String name;
    private final Duration delay;
    private final IntPredicate knows;
    private final String noMatch;
    private final HttpServer server;

    private StandIn(String name, Duration delay, IntPredicate knows, String noMatch, HttpServer server) {
        this.name = name;
        this.delay = delay;
        this.knows = knows;
        this.noMatch = noMatch;
        this.server = server;
    }

    /**
     * Starts the server on a free port.
     *
     * @param delay before each answer
     * @param knows selects the launches that it matches
     * @param noMatch the body of its answer to other launches
     */
    static StandIn start(String name, Duration delay, IntPredicate knows, String noMatch) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        StandIn standIn = new StandIn(name, delay, knows, noMatch, server);
        server.createContext(
                "/match",
                exchange -> CompletableFuture.delayedExecutor(delay.toMillis(), TimeUnit.MILLISECONDS)
                        .execute(() -> standIn.answer(exchange)));
        server.start();
        return standIn;
    }

    private void answer(HttpExchange exchange) {
        int launch = Integer.parseInt(exchange.getRequestURI().getQuery().substring(QUERY.length()));
        try (exchange) {
            byte[] body = (knows.test(launch) ? MATCH : noMatch).getBytes(StandardCharsets.UTF_8);
            if (body.length == 0) {
                exchange.sendResponseHeaders(204, -1);
            } else {
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
            }
        } catch (IOException hungUp) {
            // Another source was faster.
        }
    }

    Source source() {
        return new Source(name, "http://127.0.0.1:" + server.getAddress().getPort() + "/match?" + QUERY);
    }

    /** Returns whether it has a match for the launch and answers in time. */
    boolean finds(int launch, Duration within) {
        return knows.test(launch) && delay.compareTo(within) < 0;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
