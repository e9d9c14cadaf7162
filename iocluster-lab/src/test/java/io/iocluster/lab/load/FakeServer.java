package io.iocluster.lab.load;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** An HTTP server with fixed responses that records its requests. Thread-safe. */
public final class FakeServer implements AutoCloseable {

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<String, String> bodies = new ConcurrentHashMap<>();
    private final Map<String, Integer> statuses = new ConcurrentHashMap<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final List<String> queries = new CopyOnWriteArrayList<>();

    public FakeServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        queries.add(String.valueOf(exchange.getRequestURI().getRawQuery()));
        requests.add((exchange.getRequestMethod() + " " + path + " " + body).strip());
        byte[] response = bodies.getOrDefault(path, "{}").getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(statuses.getOrDefault(path, 200), response.length);
        exchange.getResponseBody().write(response);
        exchange.close();
    }

    /** Sets the response to all later requests of the path; without one it is {@code {}}. */
    public FakeServer respond(String path, int status, String body) {
        statuses.put(path, status);
        bodies.put(path, body);
        return this;
    }

    /** Returns method, path and body of each request, in order. */
    public List<String> requests() {
        return List.copyOf(requests);
    }

    /** Returns the query of each request, in order. */
    public List<String> queries() {
        return List.copyOf(queries);
    }

    /** Returns the requests that are not GET. */
    public List<String> changes() {
        return requests.stream().filter(request -> !request.startsWith("GET")).toList();
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
