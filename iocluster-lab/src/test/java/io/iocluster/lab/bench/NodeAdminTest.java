package io.iocluster.lab.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the client with an admin server that returns a fixed thread dump, and events that end. */
class NodeAdminTest {

    private static final String DUMP = """
            "iocluster-cluster" #41 [99] daemon prio=5 os_prio=0 cpu=12.50ms elapsed=60.00s tid=0x1 nid=99 waiting on condition
               java.lang.Thread.State: TIMED_WAITING (parking)
            "iocluster-kafka-cluster" #42 [98] daemon prio=5 os_prio=0 cpu=2.25ms elapsed=60.00s tid=0x2 nid=98 runnable
            "iocluster-worker-0" #43 [97] daemon prio=5 os_prio=0 cpu=9000.00ms elapsed=60.00s tid=0x3 nid=97 runnable
            """;

    private HttpServer server;
    private NodeAdmin admin;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/api/threads", exchange -> {
            byte[] body = DUMP.getBytes(UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.createContext("/api/events", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write("event: status\n".getBytes(UTF_8));
            exchange.close();
        });
        server.start();
        admin = new NodeAdmin(server.getAddress().getPort());
    }

    @AfterEach
    void close() {
        server.stop(0);
    }

    @Test
    void addsTheCpuTimeOfTheThreadsWithTheName() {
        assertThat(admin.threadCpu("-cluster")).isEqualTo(Duration.ofNanos(14_750_000));
    }

    @Test
    void aNodeIsReadyOnceReadyzReturns200() {
        AtomicInteger status = new AtomicInteger(503);
        server.createContext("/readyz", exchange -> {
            exchange.sendResponseHeaders(status.get(), -1);
            exchange.close();
        });
        assertThat(admin.isReady()).isFalse();

        status.set(200);
        assertThat(admin.isReady()).isTrue();

        server.stop(0);
        assertThat(admin.isReady()).isFalse();
    }

    @Test
    void failsIfTheNodeHasEndedAnEndlessResponse() {
        NodeAdmin.EndlessReader reader = admin.openEndless("/api/events");
        await().until(reader::hasEnded);

        assertThatThrownBy(reader::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the node has ended its response to /api/events");
    }

    @Test
    void failsIfNoThreadHasTheName() {
        assertThatThrownBy(() -> admin.threadCpu("-announcements"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("-announcements");
    }
}
