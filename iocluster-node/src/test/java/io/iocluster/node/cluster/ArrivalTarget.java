package io.iocluster.node.cluster;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** An HTTP server that records when each request arrives, and answers it with 204 at once. Thread-safe. */
final class ArrivalTarget implements AutoCloseable {

    private final Queue<Long> arrivals = new ConcurrentLinkedQueue<>();
    private final HttpServer server;

    ArrivalTarget() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        server.createContext("/", this::answer);
        server.start();
    }

    private void answer(HttpExchange exchange) throws IOException {
        arrivals.add(System.nanoTime());
        exchange.sendResponseHeaders(204, -1);
        exchange.close();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
    }

    /** Returns when each request so far arrived, in order, by {@link System#nanoTime}. */
    long[] arrivals() {
        long[] times = arrivals.stream().mapToLong(Long::longValue).toArray();
        Arrays.sort(times);
        return times;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
