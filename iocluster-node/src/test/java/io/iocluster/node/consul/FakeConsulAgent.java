package io.iocluster.node.consul;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.iocluster.thread.DaemonThreadFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Implements the part of Consul's documented HTTP API that a node uses: keys with indexes and blocking queries,
 * services with checks, healthy instances of services, and tokens. Thread-safe.
 */
public final class FakeConsulAgent implements TestAgent {

    private static final String KEYS = "/v1/kv/";
    private static final String HEALTH = "/v1/health/service/";

    private final FakeConsulKeys keys = new FakeConsulKeys();
    private final FakeConsulKeys instances = new FakeConsulKeys();
    private final FakeConsulServices services = new FakeConsulServices();
    private final List<Map<String, String>> queries = new CopyOnWriteArrayList<>();
    private final List<Map<String, String>> healthQueries = new CopyOnWriteArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool(new DaemonThreadFactory("fake-agent"));
    private volatile String token = "";
    private volatile int failureStatus;
    private volatile boolean isSilent;
    private volatile CountDownLatch instancesHeld = new CountDownLatch(0);
    private volatile String index;
    private final SSLContext tls;
    private HttpServer server;
    private int port;

    public FakeConsulAgent() {
        this(null);
    }

    /** Creates an agent with TLS that requires a client certificate which the context trusts. */
    FakeConsulAgent(SSLContext tls) {
        this.tls = tls;
        listen();
    }

    private void listen() {
        try {
            server = server(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        port = server.getAddress().getPort();
        server.setExecutor(threads);
        server.createContext("/", this::serve);
        server.start();
    }

    private HttpServer server(InetSocketAddress address) throws IOException {
        if (tls == null) {
            return HttpServer.create(address, 0);
        }
        HttpsServer secure = HttpsServer.create(address, 0);
        secure.setHttpsConfigurator(new HttpsConfigurator(tls) {
            @Override
            public void configure(HttpsParameters parameters) {
                SSLParameters sslParameters = tls.getDefaultSSLParameters();
                sslParameters.setNeedClientAuth(true);
                parameters.setSSLParameters(sslParameters);
            }
        });
        return secure;
    }

    @Override
    public String address() {
        return (tls == null ? "http" : "https") + "://127.0.0.1:" + port;
    }

    @Override
    public void stop() {
        server.stop(0);
        keys.wake();
        instances.wake();
    }

    @Override
    public void restart() {
        services.clear();
        listen();
    }

    @Override
    public void close() {
        stop();
        threads.shutdownNow();
    }

    public FakeConsulKeys keys() {
        return keys;
    }

    FakeConsulServices services() {
        return services;
    }

    /** Returns the query parameters of all key requests, in order. */
    List<Map<String, String>> queries() {
        return queries;
    }

    /** Sets the healthy instances of a service: {@code host:port} each. */
    public void setInstances(String service, String... addresses) {
        ArrayNode json = JsonNodeFactory.instance.arrayNode();
        for (String each : addresses) {
            int colon = each.lastIndexOf(':');
            ObjectNode instance = json.addObject();
            instance.putObject("Node").put("Node", "machine").put("Address", "10.255.255.255");
            instance.putObject("Service")
                    .put("ID", service + "-" + each)
                    .put("Address", each.substring(0, colon))
                    .put("Port", Integer.parseInt(each.substring(colon + 1)));
        }
        setInstancesJson(service, json.toString());
    }

    void setInstancesJson(String service, String json) {
        instances.put(service, json);
    }

    /** Returns the query parameters of all requests for the instances of a service, in order. */
    List<Map<String, String>> healthQueries() {
        return healthQueries;
    }

    /** Makes every waiting query for the instances of a service return. */
    void wakeHealthQueries() {
        instances.wake();
    }

    /** Answers no further request for the instances of a service before {@link #releaseInstances}. */
    void holdInstances() {
        instancesHeld = new CountDownLatch(1);
    }

    void releaseInstances() {
        instancesHeld.countDown();
    }

    /** Rejects requests with another token. */
    void require(String requiredToken) {
        token = requiredToken;
    }

    /** Answers all requests with this status; 0 restores normal answers. */
    void fail(int status) {
        failureStatus = status;
    }

    /** Accepts requests and never answers them. */
    void stopAnswering() {
        isSilent = true;
    }

    /** Answers key requests with this index instead of the real one; empty omits the header. */
    void claimIndex(String claimed) {
        index = claimed;
    }

    private void serve(HttpExchange exchange) throws IOException {
        if (isSilent) {
            return;
        }
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            String requestToken = exchange.getRequestHeaders().getFirst("X-Consul-Token");
            if (failureStatus != 0) {
                reply(exchange, failureStatus, "No cluster leader\n");
            } else if (!token.isEmpty() && !token.equals(requestToken)) {
                reply(exchange, 403, "Permission denied: token lacks permission");
            } else if (exchange.getRequestURI().getPath().startsWith(KEYS)) {
                key(exchange, exchange.getRequestURI().getPath().substring(KEYS.length()), body);
            } else if (exchange.getRequestURI().getPath().startsWith(HEALTH)) {
                health(exchange, exchange.getRequestURI().getPath().substring(HEALTH.length()));
            } else {
                services.serve(exchange, body);
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    private void key(HttpExchange exchange, String key, String body) throws IOException, InterruptedException {
        switch (exchange.getRequestMethod()) {
            case "PUT" -> keys.put(key, body);
            case "DELETE" -> keys.delete(key);
            default -> {
                Map<String, String> query = query(exchange.getRequestURI());
                queries.add(query);
                FakeConsulKeys.FoundKeys found = keys.get(key, query);
                String claimed = index == null ? Long.toString(found.index()) : index;
                if (!claimed.isEmpty()) {
                    exchange.getResponseHeaders().set("X-Consul-Index", claimed);
                }
                reply(exchange, found.value() == null ? 404 : 200, found.value() == null ? "" : found.value());
                return;
            }
        }
        reply(exchange, 200, "true");
    }

    private void health(HttpExchange exchange, String service) throws IOException, InterruptedException {
        Map<String, String> query = query(exchange.getRequestURI());
        CountDownLatch held = instancesHeld;
        healthQueries.add(query);
        held.await();
        FakeConsulKeys.FoundKeys found = instances.get(service, query);
        exchange.getResponseHeaders().set("X-Consul-Index", Long.toString(found.index()));
        reply(exchange, 200, found.value() == null ? "[]" : found.value());
    }

    private static Map<String, String> query(URI uri) {
        Map<String, String> query = new HashMap<>();
        for (String part : String.valueOf(uri.getRawQuery()).split("&")) {
            String[] sides = part.split("=", 2);
            query.put(sides[0], sides.length == 1 ? "" : URLDecoder.decode(sides[1], StandardCharsets.UTF_8));
        }
        return query;
    }

    static void reply(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
    }
}
