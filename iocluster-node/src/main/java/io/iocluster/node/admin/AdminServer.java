package io.iocluster.node.admin;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.iocluster.node.config.AdminSettings;
import io.iocluster.node.metrics.NodeMetrics;
import io.iocluster.settings.InvalidSettingsException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers people, probes and Prometheus, on a few threads of its own and with bounds on all that a client can make grow.
 * Owned by the node.
 */
public final class AdminServer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(AdminServer.class);
    private static final int THREADS = 4;
    private static final int WAITING = 64;
    private static final int LARGEST_BODY = 64 * 1024;

    /** The JDK's server takes its bounds from system properties only, in seconds where they are times. */
    private static final Map<String, String> BOUNDS = Map.of(
            "sun.net.httpserver.maxReqTime", "10",
            "sun.net.httpserver.maxRspTime", "30",
            "jdk.httpserver.maxConnections", "200");

    private final HttpServer server;
    private final ExecutorService threads;
    private final AdminApi api;
    private final Guard guard;

    private AdminServer(HttpServer server, AdminApi api, Guard guard) {
        this.server = server;
        this.api = api;
        this.guard = guard;
        AtomicInteger count = new AtomicInteger();
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                THREADS, THREADS, 30, TimeUnit.SECONDS, new ArrayBlockingQueue<>(WAITING), task -> {
                    Thread thread = new Thread(task, "iocluster-admin-" + count.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        pool.allowCoreThreadTimeOut(true);
        this.threads = pool;
    }

    /**
     * Begins to listen.
     *
     * @throws IOException if the address cannot be had; the message names it
     */
    public static AdminServer start(AdminSettings settings, NodeControl node, NodeMetrics metrics) throws IOException {
        BOUNDS.forEach((key, value) -> {
            if (System.getProperty(key) == null) {
                System.setProperty(key, value);
            }
        });
        InetAddress address = InetAddress.getByName(settings.host());
        if (!address.isLoopbackAddress() && settings.token().isEmpty()) {
            throw new IOException("admin.host is no loopback address and admin.token is not set: " + settings.host());
        }
        HttpServer server = listen(new InetSocketAddress(address, settings.port()));
        AdminServer admin = new AdminServer(
                server, new AdminApi(node, metrics, !settings.token().isEmpty()), new Guard(settings.token()));
        server.setExecutor(admin.threads);
        server.createContext("/", admin::serve);
        server.start();
        return admin;
    }

    private static HttpServer listen(InetSocketAddress address) throws IOException {
        try {
            return HttpServer.create(address, WAITING);
        } catch (IOException taken) {
            throw new IOException(
                    "admin cannot listen on " + address.getHostString() + ":" + address.getPort() + ": "
                            + taken.getMessage(),
                    taken);
        }
    }

    /** Where it listens, with the port that was found if any was free to choose. */
    public InetSocketAddress address() {
        return server.getAddress();
    }

    private void serve(HttpExchange exchange) {
        try (exchange) {
            Reply reply = answer(exchange);
            exchange.getResponseHeaders().set("Content-Type", reply.contentType());
            exchange.getResponseHeaders().set("Cache-Control", "no-store");
            exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
            reply.headers().forEach(exchange.getResponseHeaders()::set);
            boolean bare = exchange.getRequestMethod().equals("HEAD") || reply.status() == 304;
            exchange.sendResponseHeaders(reply.status(), bare ? -1 : reply.body().length);
            if (!bare) {
                exchange.getResponseBody().write(reply.body());
            }
        } catch (IOException gone) {
            LOG.debug("an admin client went away: {}", gone.getMessage());
        }
    }

    private Reply answer(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readNBytes(LARGEST_BODY + 1);
        if (body.length > LARGEST_BODY) {
            return Reply.error(413, "the body is larger than " + LARGEST_BODY + " bytes");
        }
        Request request = new Request(
                exchange.getRequestMethod(), exchange.getRequestURI().getPath(), exchange.getRequestHeaders(), body);
        try {
            return guard.refuse(request).orElseGet(() -> api.answer(request));
        } catch (Refusal refusal) {
            return refusal.reply();
        } catch (InvalidSettingsException invalid) {
            return Reply.error(400, invalid.getMessage());
        } catch (RuntimeException bug) {
            LOG.error("defect in the admin server, at {} {}", request.method(), request.path(), bug);
            return Reply.error(500, "a defect in the node; its log has the details");
        }
    }

    /** Closes every connection at once. */
    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
