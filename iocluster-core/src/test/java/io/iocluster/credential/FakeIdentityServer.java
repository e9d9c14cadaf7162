package io.iocluster.credential;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * Serves a token endpoint at {@code /token}, which returns the tokens {@code t1}, {@code t2} and so on, and a target at
 * every other path, whose status the test decides. Thread-safe.
 */
final class FakeIdentityServer implements AutoCloseable {

    final List<SeenRequest> fetches = new CopyOnWriteArrayList<>();
    final List<SeenRequest> calls = new CopyOnWriteArrayList<>();

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger issued = new AtomicInteger();
    private volatile Function<SeenRequest, Integer> statusOfFetch = fetch -> 200;
    private volatile Function<SeenRequest, Integer> statusOfCall = call -> 200;

    record SeenRequest(String path, Map<String, String> headers, String body) {

        String authorization() {
            return headers.get("authorization");
        }
    }

    FakeIdentityServer() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            SeenRequest call = seen(exchange, calls);
            respond(exchange, statusOfCall.apply(call), "called");
        });
        server.createContext("/token", exchange -> {
            SeenRequest fetch = seen(exchange, fetches);
            int status = statusOfFetch.apply(fetch);
            respond(
                    exchange,
                    status,
                    status == 200
                            ? "{\"access_token\":\"t" + issued.incrementAndGet() + "\",\"expires_in\":3600}"
                            : "{\"error\":\"invalid_client\"}");
        });
        server.start();
    }

    /** Sets the function that decides the status of each call. It may block, because each call has its own thread. */
    void calls(Function<SeenRequest, Integer> status) {
        statusOfCall = status;
    }

    void fetches(Function<SeenRequest, Integer> status) {
        statusOfFetch = status;
    }

    int port() {
        return server.getAddress().getPort();
    }

    String tokenUrl() {
        return "http://127.0.0.1:" + port() + "/token";
    }

    private static SeenRequest seen(HttpExchange exchange, List<SeenRequest> list) throws IOException {
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        exchange.getRequestHeaders().forEach((name, values) -> headers.put(name, String.join(", ", values)));
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        SeenRequest seen = new SeenRequest(exchange.getRequestURI().toString(), headers, body);
        list.add(seen);
        return seen;
    }

    private static void respond(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
