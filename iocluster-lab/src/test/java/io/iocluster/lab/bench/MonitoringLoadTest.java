package io.iocluster.lab.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests what is read from a node, with an admin server that records the requests. */
class MonitoringLoadTest {

    private static final String EVENTS =
            "/api/events?parts=history,destinations,attempts,apps,caches,failures,tuning,cluster,status,stats";

    private final Queue<String> requests = new ConcurrentLinkedQueue<>();
    private final CountDownLatch endOfStreams = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private volatile int metricsStatus = 200;
    private HttpServer server;
    private NodeAdmin admin;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.setExecutor(threads);
        server.start();
        admin = new NodeAdmin(server.getAddress().getPort());
    }

    @AfterEach
    void close() {
        endOfStreams.countDown();
        server.stop(0);
        threads.shutdownNow();
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().toString();
        requests.add(path);
        if (!path.startsWith("/api/events") && !path.startsWith("/api/tap")) {
            byte[] body = "{}".getBytes(UTF_8);
            exchange.sendResponseHeaders(path.equals("/metrics") ? metricsStatus : 200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
            return;
        }
        exchange.sendResponseHeaders(200, 0);
        exchange.getResponseBody().write("event: status\ndata: {}\n\n".getBytes(UTF_8));
        exchange.getResponseBody().flush();
        try {
            endOfStreams.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        exchange.close();
    }

    @Test
    void readsEachPartOnceAndThenTheStreamLikeAConsole() {
        try (MonitoringLoad monitoring = new MonitoringLoad(admin, false, Duration.ofHours(1))) {
            assertThat(requests)
                    .containsExactly(
                            "/api/history",
                            "/api/destinations",
                            "/api/attempts",
                            "/api/apps",
                            "/api/caches",
                            "/api/failures",
                            "/api/tuning",
                            "/api/cluster",
                            "/api/status",
                            "/api/stats",
                            EVENTS);
        }
    }

    @Test
    void scrapesLikeAPrometheusAndReadsTheTap() {
        try (MonitoringLoad monitoring = new MonitoringLoad(admin, true, Duration.ofMillis(10))) {
            await().until(() -> Collections.frequency(List.copyOf(requests), "/metrics") >= 2);

            assertThat(requests).containsOnlyOnce(EVENTS, "/api/tap");
        }
    }

    @Test
    void failsIfAScrapeFails() {
        metricsStatus = 503;
        MonitoringLoad monitoring = new MonitoringLoad(admin, false, Duration.ofMillis(10));
        await().until(() -> requests.contains("/metrics"));

        assertThatThrownBy(monitoring::close)
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("answers 503");
    }
}
