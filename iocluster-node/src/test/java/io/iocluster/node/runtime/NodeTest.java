package io.iocluster.node.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.iocluster.node.ColdNode;
import io.iocluster.node.MemoryPipelines;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.SettingsLoader;
import io.iocluster.testkit.memory.MemoryBroker;
import io.iocluster.testkit.target.TargetServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class NodeTest {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final HttpClient client = HttpClient.newHttpClient();
    private final MemoryBroker broker = new MemoryBroker();
    private final TargetServer target = TargetServer.start();
    private Node node;

    @BeforeEach
    void startNode() throws IOException {
        node = start("node: {id: node-1}\nadmin: {port: 0}");
    }

    @AfterEach
    void closeNode() {
        node.close();
        target.close();
    }

    @Test
    void answersProbes() {
        assertThat(get("/livez").statusCode()).isEqualTo(200);
        assertThat(get("/readyz").statusCode()).isEqualTo(200);
    }

    @Test
    void isAliveButNotReadyWhileTheBrokerIsUnreachable() {
        broker.goOffline();

        assertThat(get("/livez").statusCode()).isEqualTo(200);
        HttpResponse<String> ready = get("/readyz");
        assertThat(ready.statusCode()).isEqualTo(503);
        assertThat(json(ready).get("reason").asString())
                .isEqualTo("memory at 127.0.0.1:9092 is not connected: the broker is unreachable");
    }

    @Test
    void showsItsStatus() {
        hang(node);

        JsonNode status = json(get("/api/status"));

        assertThat(status.get("node").asString()).isEqualTo("node-1");
        assertThat(status.get("state").asString()).isEqualTo("running");
        assertThat(status.get("inFlight").asInt()).isEqualTo(1);
        assertThat(status.get("workers")).hasSize(1);
        assertThat(status.at("/source/lag").asLong()).isEqualTo(1);
    }

    @Test
    void showsItsDestinations() {
        hang(node);

        JsonNode first = json(get("/api/destinations")).at("/destinations/0");

        assertThat(first.get("name").asString()).startsWith("127.0.0.1:");
        assertThat(first.get("inFlight").asInt()).isEqualTo(1);
        assertThat(first.get("inFlightLimit").asInt()).isZero();
        assertThat(first.get("attempts").asInt()).isEqualTo(1);
        assertThat(first.get("rate").asString()).isEqualTo("unlimited");
        assertThat(first.get("waiting").asInt()).isZero();
        assertThat(first.get("breaker").asString()).isEqualTo("closed");
        assertThat(first.get("retryBudgetExhausted").asLong()).isZero();
        assertThat(first.get("pausedMillis").asLong()).isZero();
        assertThat(first.get("operatorPause").isNull()).isTrue();
        assertThat(first.get("operatorLimit").isNull()).isTrue();
        assertThat(first.get("hedge").isNull()).isTrue();
    }

    @Test
    void showsItsConfigurationWithSecretsHidden() throws IOException {
        try (Node guarded = start("admin: {port: 0, token: s3cr3t}")) {
            HttpResponse<String> config = call(guarded, "GET", "/api/config", "s3cr3t");

            assertThat(config.body()).doesNotContain("s3cr3t");
            assertThat(json(config).at("/admin/token").asString()).isEqualTo("***");
            assertThat(json(config).at("/http/connect-timeout").asString()).isEqualTo("3s");
        }
    }

    @Test
    void showsTheAdvice() {
        JsonNode tuning = json(get("/api/tuning"));

        assertThat(tuning.get("mode").asString()).isEqualTo("advise");
        assertThat(tuning.get("verdict").asString()).isEqualTo("hold");
        assertThat(tuning.get("steps")).isEmpty();
        assertThat(get("/metrics").body()).contains("iocluster_tuning_verdict{verdict=\"hold\"} 1.0");
    }

    @Test
    void growsByItselfInModeAuto() throws IOException {
        post("/api/pause");
        try (Node eager = start("""
            admin: {port: 0}
            workers: {threads: 1, max-in-flight: 2}
            tuning: {mode: auto, max-in-flight: 7, window: 3s, catch-up: 1s}
            """)) {
            // More calls than the node can make before it raises max-in-flight.
            for (int i = 0; i < 3_000; i++) {
                broker.send(envelope("/delay?ms=100"));
            }

            await().until(() -> !json(call(eager, "GET", "/api/tuning", null))
                    .at("/steps/0")
                    .isMissingNode());

            JsonNode step = json(call(eager, "GET", "/api/tuning", null)).at("/steps/0");
            assertThat(step.get("setting").asString()).isEqualTo("max-in-flight");
            assertThat(step.get("before").asInt()).isEqualTo(2);
            assertThat(step.get("after").asInt()).isEqualTo(7);
            assertThat(json(call(eager, "GET", "/api/config", null))
                            .at("/workers/max-in-flight")
                            .asInt())
                    .isEqualTo(7);
        }
    }

    @Test
    void servesMetrics() {
        hang(node);

        HttpResponse<String> metrics = get("/metrics");

        assertThat(metrics.headers().firstValue("Content-Type")).hasValue("text/plain; version=0.0.4; charset=utf-8");
        assertThat(metrics.body()).contains("iocluster_in_flight 1.0");
    }

    @Test
    void labelsMetricsWithADestinationsName() throws IOException {
        post("/api/pause");
        try (Node other = start("admin: {port: 0}\ndestinations: [{match: 127.0.0.1, name: here, max-in-flight: 7}]")) {
            hang(other);

            assertThat(call(other, "GET", "/metrics", null).body())
                    .contains("iocluster_attempts_total{destination=\"here\"} 1.0")
                    .contains("iocluster_destination_in_flight{destination=\"here\"} 1.0")
                    .contains("iocluster_destination_in_flight_limit{destination=\"here\"} 7.0")
                    .doesNotContain("127.0.0.1:");
        }
    }

    @Test
    void resizesWhileItRuns() {
        HttpResponse<String> resized = patch("{\"threads\": 4, \"max-in-flight\": 600}");

        assertThat(resized.statusCode()).isEqualTo(200);
        assertThat(json(resized).get("max-in-flight").asInt()).isEqualTo(600);
        assertThat(node.status().workers()).hasSize(4);
        assertThat(node.status().maxInFlight()).isEqualTo(600);
        assertThat(json(get("/api/config")).at("/workers/threads").asInt()).isEqualTo(4);
    }

    @Test
    void resizesOnlyTheGivenKeys() {
        patch("{\"threads\": 4}");
        assertThat(node.status().maxInFlight()).isEqualTo(300);

        patch("{\"max-in-flight\": 600}");
        assertThat(node.status().maxInFlight()).isEqualTo(600);
        assertThat(node.status().workers()).hasSize(4);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "{\"max-in-flight\": 0}; workers.max-in-flight must be from 1 to 1000000: 0",
                "{\"threads\": -1, \"max-in-flight\": 0}; workers.threads must be from 0 to 1024: -1",
                "{\"threads\": \"4\"}; workers.threads must be a whole number: \"4\"",
                "{\"threads\": 1.5}; workers.threads must be a whole number: 1.5",
                "{\"thread\": 4}; thread is not a known key",
                "{}; the body must be an object such as",
                "[1]; the body must be an object such as",
                "{; the body is not valid JSON",
                "``; the body",
            })
    void rejectsAnInvalidResize(String body, String error) {
        HttpResponse<String> refused = patch(body);

        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(json(refused).get("error").asString()).startsWith(error);
        assertThat(node.status().workers()).hasSize(1);
        assertThat(node.status().maxInFlight()).isEqualTo(300);
    }

    @Test
    void rejectsABodyWithoutTheJsonContentType() {
        HttpRequest request = HttpRequest.newBuilder(uri(node, "/api/workers"))
                .method("PATCH", BodyPublishers.ofString("{\"threads\": 4}"))
                .header("Content-Type", "text/plain")
                .build();

        assertThat(send(request).statusCode()).isEqualTo(415);
        assertThat(node.status().workers()).hasSize(1);
    }

    @Test
    void rejectsABodyThatIsTooLarge() {
        assertThat(patch(" ".repeat(70_000)).statusCode()).isEqualTo(413);
    }

    @Test
    void pausesAndResumes() {
        assertThat(json(post("/api/pause")).get("state").asString()).isEqualTo("paused");
        broker.send(envelope("/ok"));
        assertThat(json(post("/api/resume")).get("state").asString()).isEqualTo("running");
        await().until(() -> broker.answers().size() == 1);
    }

    @Test
    void drainsAndStaysUp() {
        assertThat(post("/api/drain").statusCode()).isEqualTo(200);
        assertThat(post("/api/drain").statusCode()).isEqualTo(200);

        assertThat(node.awaitDrained()).isTrue();
        assertThat(get("/readyz").statusCode()).isEqualTo(503);
        assertThat(json(get("/api/status")).get("state").asString()).isEqualTo("stopped");
    }

    @Test
    void reportsCallsThatADrainLeftOpen() throws IOException {
        try (Node impatient = start("admin: {port: 0}\nshutdown: {drain-timeout: 50ms}")) {
            post("/api/pause");
            hang(impatient);

            assertThat(impatient.awaitDrained()).isFalse();
            assertThat(broker.readyCount()).isEqualTo(1);
            // A second drain would find nothing open.
            assertThat(impatient.awaitDrained()).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/nowhere", "/api", "/livez/x", "/api/workers/"})
    void answersNotFoundForUnknownPaths(String path) {
        assertThat(get(path).statusCode()).isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource({
        "POST,/livez,'GET, HEAD'",
        "GET,/api/pause,POST",
        "PUT,/api/workers,PATCH",
        "DELETE,/metrics,'GET, HEAD'"
    })
    void answersWithTheAllowedMethodsOfAPath(String method, String path, String allowed) {
        HttpResponse<String> refused = call(node, method, path, null);

        assertThat(refused.statusCode()).isEqualTo(405);
        assertThat(refused.headers().firstValue("Allow")).hasValue(allowed);
    }

    @Test
    void answersHeadWithoutABody() {
        assertThat(call(node, "HEAD", "/livez", null).statusCode()).isEqualTo(200);
        assertThat(get("/livez").statusCode()).isEqualTo(200);
    }

    @Test
    void requiresTheTokenForChanges() throws IOException {
        try (Node guarded = start("admin: {port: 0, token: s3cr3t}")) {
            assertThat(call(guarded, "GET", "/api/status", null).statusCode()).isEqualTo(200);
            assertThat(call(guarded, "POST", "/api/pause", null).statusCode()).isEqualTo(401);
            assertThat(call(guarded, "POST", "/api/pause", "wrong").statusCode())
                    .isEqualTo(401);
            assertThat(call(guarded, "POST", "/api/pause", "s3cr3t").statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void rejectsRequestsFromOtherOrigins() {
        HttpRequest request = HttpRequest.newBuilder(uri(node, "/api/pause"))
                .POST(BodyPublishers.noBody())
                .header("Origin", "http://evil.example")
                .build();

        assertThat(send(request).statusCode()).isEqualTo(403);
        assertThat(json(get("/api/status")).get("state").asString()).isEqualTo("running");
    }

    @Test
    void reportsAnAddressInUse() {
        int port = node.adminAddress().getPort();

        assertThatThrownBy(() -> start("admin: {port: " + port + "}"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("127.0.0.1:" + port);
    }

    private Node start(String yaml) throws IOException {
        String workers = yaml.contains("workers:") ? "" : "workers: {threads: 1}\n";
        String local = workers + "egress: {ports: [], allow-networks: [127.0.0.0/8]}\n";
        var settings = new SettingsLoader<>(NodeSettings.class, ColdNode.ENVIRONMENT).load(local + yaml, Path.of("."));
        return Node.start(settings, MemoryPipelines.alone(broker));
    }

    /** Starts a call that the target does not answer. */
    private void hang(Node busy) {
        broker.send(envelope("/never"));
        await().until(() -> busy.status().inFlight() == 1 && target.requestLog().open() == 1);
    }

    private String envelope(String path) {
        return "{\"url\":\"" + target.url(path) + "\"}";
    }

    private HttpResponse<String> get(String path) {
        return call(node, "GET", path, null);
    }

    private HttpResponse<String> post(String path) {
        return call(node, "POST", path, null);
    }

    private HttpResponse<String> patch(String body) {
        return send(HttpRequest.newBuilder(uri(node, "/api/workers"))
                .method("PATCH", BodyPublishers.ofString(body))
                .header("Content-Type", "application/json; charset=utf-8")
                .build());
    }

    private HttpResponse<String> call(Node to, String method, String path, String token) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri(to, path)).method(method, BodyPublishers.noBody());
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        }
        return send(request.build());
    }

    private HttpResponse<String> send(HttpRequest request) {
        return client.sendAsync(request, BodyHandlers.ofString()).join();
    }

    private static URI uri(Node node, String path) {
        return URI.create("http://127.0.0.1:" + node.adminAddress().getPort() + path);
    }

    private static JsonNode json(HttpResponse<String> response) {
        return JSON.readTree(response.body());
    }
}
