package io.iocluster.examples.webhooks;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A local server that simulates a subscriber. Thread-safe. */
final class Subscriber implements AutoCloseable {

    private final HttpServer server;
    private final AtomicInteger failuresLeft;
    private final Set<String> keys = ConcurrentHashMap.newKeySet();

    private Subscriber(HttpServer server, int failures) {
        this.server = server;
        this.failuresLeft = new AtomicInteger(failures);
    }

    /**
     * Starts the server on a free port.
     *
     * @param failures number of requests to answer with 503 first
     */
    static Subscriber start(int failures) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        Subscriber subscriber = new Subscriber(server, failures);
        server.createContext("/events", subscriber::receive);
        server.start();
        return subscriber;
    }

    private void receive(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            if (failuresLeft.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                exchange.sendResponseHeaders(503, -1);
                return;
            }
            // Accepts a duplicate without effect, because it has the same key.
            keys.add(exchange.getRequestHeaders().getFirst("Idempotency-Key"));
            exchange.sendResponseHeaders(204, -1);
        }
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/events";
    }

    boolean has(Event event) {
        return keys.contains(event.id());
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
