package io.iocluster.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.iocluster.lab.load.FakeServer;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
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

    private FakeServer server;
    private NodeAdmin admin;

    @BeforeEach
    void start() throws IOException {
        server = new FakeServer()
                .respond("/api/threads", 200, DUMP)
                .respond("/api/events", 200, "event: status\n")
                .respond("/readyz", 503, "{}");
        admin = new NodeAdmin(URI.create(server.url()).getPort());
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void addsTheCpuTimeOfTheThreadsWithTheName() {
        assertThat(admin.threadCpu("-cluster")).isEqualTo(Duration.ofNanos(14_750_000));
        assertThatThrownBy(() -> admin.threadCpu("-announcements"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("-announcements");
    }

    @Test
    void aNodeIsReadyOnceReadyzReturns200() {
        assertThat(admin.isReady()).isFalse();

        server.respond("/readyz", 200, "{}");
        assertThat(admin.isReady()).isTrue();

        server.close();
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
}
