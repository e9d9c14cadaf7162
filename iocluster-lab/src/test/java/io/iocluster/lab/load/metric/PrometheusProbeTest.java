package io.iocluster.lab.load.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iocluster.lab.load.FakeServer;
import io.iocluster.node.cli.admin.AdminClient;
import io.iocluster.testkit.target.ScriptedServer;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class PrometheusProbeTest {

    private FakeServer prometheus;

    @BeforeEach
    void start() throws IOException {
        prometheus = new FakeServer();
    }

    @AfterEach
    void stop() {
        prometheus.close();
    }

    @Test
    void theSeriesOfAQueryAreSummed() throws Exception {
        respond("""
                {"status": "success", "data": {"resultType": "vector", "result": [
                  {"metric": {"node": "a"}, "value": [1700000000.1, "1.5"]},
                  {"metric": {"node": "b"}, "value": [1700000000.1, "2"]}]}}""");

        assertThat(probe().read()).isEqualTo(Map.of("rate", 3.5));
        assertThat(prometheus.requests())
                .containsExactly("POST /prefix/api/v1/query query=sum%28rate%28x%5B1m%5D%29%29&timeout=60000ms");
    }

    @Test
    void aScalarIsAValueAndAnEmptyVectorIsNone() throws Exception {
        respond("{\"status\": \"success\", \"data\": {\"resultType\": \"scalar\", \"result\": [1, \"+Inf\"]}}");
        assertThat(probe().read()).isEqualTo(Map.of("rate", Double.POSITIVE_INFINITY));

        respond("{\"status\": \"success\", \"data\": {\"resultType\": \"vector\", \"result\": []}}");
        assertThat(probe().read()).isEmpty();
    }

    @Test
    void anErrorNamesTheQueryAndTheReason() {
        prometheus.respond("/prefix/api/v1/query", 400, "{\"status\": \"error\", \"error\": \"parse error\"}");
        assertThatThrownBy(() -> probe().read())
                .isInstanceOf(IOException.class)
                .hasMessage("query \"sum(rate(x[1m]))\": parse error");

        respond("{\"status\": \"success\", \"data\": {\"resultType\": \"matrix\", \"result\": []}}");
        assertThatThrownBy(() -> probe().read()).hasMessageContaining("must give a vector or a scalar, not a matrix");

        respond("<html>");
        assertThatThrownBy(() -> probe().read()).hasMessageContaining("is not a Prometheus");
    }

    @Test
    @Timeout(60)
    void aResponseThatDoesNotEndIsAnErrorInTime() {
        try (ScriptedServer endless = new ScriptedServer(PrometheusProbeTest::sendPartOfABody)) {
            PrometheusProbe probe = new PrometheusProbe(
                    URI.create("http://127.0.0.1:" + endless.port()), Duration.ofSeconds(3), Map.of("up", "up"));

            assertThatThrownBy(probe::read).hasMessageContaining("did not send its whole response");
        }
    }

    @Test
    @Timeout(60)
    void aNodeWhoseResponseDoesNotEndIsAnErrorInTime() {
        try (ScriptedServer endless = new ScriptedServer(PrometheusProbeTest::sendPartOfABody)) {
            AdminClient node =
                    AdminClient.of(URI.create("http://127.0.0.1:" + endless.port()), "", Duration.ofSeconds(3));

            assertThatThrownBy(() -> new NodeProbe(node).read()).hasMessageContaining("does not answer");
        }
    }

    private static void sendPartOfABody(ScriptedServer.ScriptedConnection connection) throws IOException {
        connection.read();
        connection.send("HTTP/1.1 200 OK\nContent-Length: 1000\n\n{");
        connection.awaitClose();
    }

    private void respond(String body) {
        prometheus.respond("/prefix/api/v1/query", 200, body);
    }

    private PrometheusProbe probe() {
        return new PrometheusProbe(
                URI.create(prometheus.url() + "/prefix/"), Duration.ofMinutes(1), Map.of("rate", "sum(rate(x[1m]))"));
    }
}
