package io.iocluster.examples.webhooks;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A server on this machine in place of a subscriber's. Safe for use by several threads. */
final class Subscriber implements AutoCloseable {

    private final HttpServer server;
    private final AtomicInteger toRefuse;
    private final Set<String> keys = ConcurrentHashMap.newKeySet();

    private Subscriber(HttpServer server, int refuses) {
        this.server = server;
        this.toRefuse = new AtomicInteger(refuses);
    }

    /**
     * Starts it on a free port.
     *
     * @param refuses to so many POSTs it answers 503 before it takes any
     */
    static Subscriber start(int refuses) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        Subscriber subscriber = new Subscriber(server, refuses);
        server.createContext("/events", subscriber::receive);
        server.start();
        return subscriber;
    }

    private void receive(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            if (toRefuse.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                exchange.sendResponseHeaders(503, -1);
                return;
            }
            // What it has already it takes again, and does nothing: the key is the same.
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
