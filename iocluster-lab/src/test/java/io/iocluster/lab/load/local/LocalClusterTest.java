package io.iocluster.lab.load.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iocluster.lab.load.FakeServer;
import io.iocluster.node.cli.admin.AdminClient;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LocalClusterTest {

    private FakeServer node;

    @BeforeEach
    void start() throws IOException {
        node = new FakeServer();
    }

    @AfterEach
    void stop() {
        node.close();
    }

    @Test
    void aNodeThatAnswersButDoesNotRunInTimeIsAnErrorWithItsState() {
        node.respond("/api/status", 200, "{\"state\": \"warming-up\"}");

        assertThatThrownBy(() -> awaitReady(true))
                .isInstanceOf(IOException.class)
                .hasMessage("node-1 is not ready after 300ms (warming-up):\nthe log");
    }

    @Test
    void aNodeThatEndsIsAnErrorAtOnce() {
        assertThatThrownBy(() -> awaitReady(false)).hasMessage("node-1 ended:\nthe log");
    }

    @Test
    void aNodeThatRunsIsReady() throws Exception {
        node.respond("/api/status", 200, "{\"state\": \"running\"}");

        awaitReady(true);
    }

    @Test
    void aClusterThatIsReadySaysHowItEnds() {
        assertThat(ClusterCommand.ready(null)).contains("is ready").endsWith("Press Ctrl-C to stop it.");
        assertThat(ClusterCommand.ready(Duration.ofMinutes(10)))
                .endsWith("It stops after 10m, or when you press Ctrl-C.");
    }

    @Test
    void eachTargetHasTheNameOfItsDestination() {
        LocalCluster cluster = new LocalCluster(BrokerMember.Kind.KAFKA, new LocalPorts(9092, 8081, 9100));

        assertThat(cluster.targets())
                .containsExactly(
                        Map.entry("shop", "http://127.0.0.1:9100"),
                        Map.entry("partner", "http://127.0.0.2:9100"),
                        Map.entry("warehouse", "http://127.0.0.3:9100"));
    }

    private void awaitReady(boolean alive) throws IOException, InterruptedException {
        LocalCluster.awaitReady(
                "node-1",
                () -> alive,
                () -> "the log",
                AdminClient.of(URI.create(node.url()), ""),
                Duration.ofMillis(300));
    }
}
