package io.iocluster.node.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.destination.AttemptTotals;
import io.iocluster.destination.DestinationStatus;
import io.iocluster.destination.limit.BreakerState;
import io.iocluster.node.MemoryPipelines;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.LoadedSettings;
import io.iocluster.node.config.binding.SettingsLoader;
import io.iocluster.node.warmup.HeldWarmUp;
import io.iocluster.pipeline.PipelineState;
import io.iocluster.testkit.memory.MemoryBroker;
import io.iocluster.testkit.memory.MemoryCluster;
import io.iocluster.testkit.target.TargetServer;
import io.iocluster.thread.Platform;
import io.iocluster.transport.PauseReason;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests a node during and after its warm-up. Other tests start nodes without one. */
@Timeout(120)
class NodeWarmUpPhaseTest {

    private static final Duration LONG = Duration.ofMinutes(1);
    private static final String LONG_WARM_UP = "node: {warm-up: 1h}\n";
    private static final String SHORT_WARM_UP = "node: {warm-up: 300ms}\n";
    private static final String LOCAL = "egress: {ports: [], allow-networks: [127.0.0.0/8]}\n";

    private final HttpClient client = HttpClient.newHttpClient();
    private final MemoryBroker broker = new MemoryBroker();
    private final PipelineFactory pipelines = MemoryPipelines.alone(broker);
    private final TargetServer target = TargetServer.start();
    private final HeldWarmUp held = new HeldWarmUp();
    private Node node;

    @AfterEach
    void closeNode() {
        held.close();
        node.close();
        target.close();
    }

    @Test
    void isAliveButNotReadyAndReadsNothingDuringTheWarmUp() throws IOException {
        broker.send(envelope("/ok"));
        node = Node.create(settings(LONG_WARM_UP + LOCAL), pipelines, held.warmUp(), Platform.system());
        CompletableFuture.runAsync(node::start);
        await().until(node::isWarmingUp);

        HttpResponse<String> ready = call("GET", "/readyz");
        HttpResponse<String> alive = call("GET", "/livez");
        HttpResponse<String> status = call("GET", "/api/status");
        boolean connected = node.status().source().connected();
        int unread = broker.readyCount();

        assertThat(ready.statusCode()).isEqualTo(503);
        assertThat(ready.body()).contains("the node is warming up; see node.warm-up");
        assertThat(alive.statusCode()).isEqualTo(200);
        assertThat(status.body()).containsPattern("\"state\" *: *\"starting\"");
        assertThat(connected).isFalse();
        assertThat(unread).isEqualTo(1);
    }

    @Test
    void readsMessagesAfterTheWarmUpAndCountsOnlyThem() throws IOException {
        broker.send(envelope("/ok"));

        node = Node.create(settings(SHORT_WARM_UP + LOCAL), pipelines);
        node.start();

        await().until(() -> broker.answers().size() == 1);
        assertThat(call("GET", "/readyz").statusCode()).isEqualTo(200);
        assertThat(node.destinations().stream().map(DestinationStatus::name))
                .containsExactlyInAnyOrder("127.0.0.1:" + target.port(), "other");
        assertThat(call("GET", "/metrics").body())
                .contains("iocluster_received_total{transport=\"kafka\"} 1.0")
                .doesNotContain("warm-up")
                .satisfies(text -> assertThat(text.lines().filter(line -> line.startsWith("iocluster_attempts_total")))
                        .containsExactlyInAnyOrder(
                                "iocluster_attempts_total{destination=\"127.0.0.1:" + target.port() + "\"} 1.0",
                                "iocluster_attempts_total{destination=\"other\"} 0.0"));
        assertThat(call("GET", "/api/failures").body()).doesNotContain("warm-up");
        assertThat(broker.deadLetters()).isEmpty();
    }

    @Test
    void announcesTheStateStartingDuringTheWarmUp() throws IOException {
        MemoryCluster cluster = new MemoryCluster();
        Queue<String> records = new ConcurrentLinkedQueue<>();
        cluster.newChannel().start(record -> records.add(new String(record, StandardCharsets.UTF_8)));
        node = Node.create(
                settings(LONG_WARM_UP + LOCAL), new MemoryPipelines(broker, cluster), held.warmUp(), Platform.system());
        CompletableFuture.runAsync(node::start);

        await().until(() -> node.isWarmingUp() && !records.isEmpty());
        assertThat(records.peek())
                .contains("\"state\":\"starting\"", "\"stopReason\":\"nothing is read: the node is starting\"");
    }

    @Test
    void drainsAtOnceDuringTheWarmUp() throws IOException {
        CompletableFuture<Void> start = startInBackground(LONG_WARM_UP + LOCAL);

        assertThat(node.awaitDrained()).isTrue();
        broker.send(envelope("/ok"));

        assertThat(start).succeedsWithin(LONG);
        assertThat(node.status().state()).isEqualTo(PipelineState.STOPPED);
        assertThat(broker.readyCount()).isEqualTo(1);
    }

    @Test
    void closesAtOnceDuringTheWarmUp() throws IOException {
        CompletableFuture<Void> start = startInBackground(LONG_WARM_UP + LOCAL);

        node.close();

        assertThat(start).succeedsWithin(LONG);
        assertThat(node.status().state()).isEqualTo(PipelineState.STOPPED);
    }

    @Test
    void appliesChangesThatAreMadeDuringTheWarmUp() throws IOException {
        startInBackground("node: {warm-up: 3s}\n" + LOCAL);

        assertThat(patch("{\"threads\": 3, \"max-in-flight\": 7}").statusCode()).isEqualTo(200);
        assertThat(call("POST", "/api/pause").statusCode()).isEqualTo(200);

        await().atMost(LONG).until(() -> node.status().state() == PipelineState.RUNNING);
        assertThat(node.status().workers()).hasSize(3);
        assertThat(node.status().maxInFlight()).isEqualTo(7);
        assertThat(node.status().source().pauseReasons()).contains(PauseReason.OPERATOR);
        broker.send(envelope("/ok"));
        assertThat(call("POST", "/api/resume").statusCode()).isEqualTo(200);
        await().until(() -> broker.answers().size() == 1);
    }

    @Test
    void cannotBeReachedByAProducer() throws IOException {
        node = Node.create(settings(SHORT_WARM_UP), pipelines);
        node.start();

        broker.send("{\"url\": \"http://127.0.0.1:8080/\"}");

        await().until(() -> broker.answers().size() == 1);
        assertThat(call("GET", "/api/failures").body()).contains("port-not-allowed");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "one worker and one slot; workers: {threads: 1, max-in-flight: 1, max-waiting: 0, max-unconfirmed: 1}",
                "few bytes; {workers: {max-in-flight-bytes: 1MiB}, http: {max-response-body: 0B}}",
                "a proxy; destination-defaults: {proxy: {type: http, host: 127.0.0.1, port: 1}}",
                "a strict breaker; destination-defaults: {breaker: {minimum-calls: 1, window-size: 1, failure-percent: 1}}",
                "a low rate; destination-defaults: {rate: 1/h, max-in-flight: 1, max-waiting: 0}",
                "a catch-all; destinations: [{match: ['*.example', 127.0.0.1], name: all, rate: 1/h, max-in-flight: 1}]",
                "no connections; http: {connections-per-destination: 1, max-idle-connections: 1, idle-timeout: 0s}",
                "a strict egress policy; egress: {deny-networks: [0.0.0.0/0], allow-hosts: [partner.example]}",
            })
    void doesNotDependOnTheLimitsOfTheOperator(String limits, String yaml) throws IOException {
        String text =
                yaml.startsWith("{") ? yaml.substring(1, yaml.length() - 1).replace("}, ", "}\n") : yaml;

        node = Node.create(settings("node: {warm-up: 300ms}\n" + text), pipelines);
        node.start();

        assertThat(call("GET", "/readyz").statusCode()).as(limits).isEqualTo(200);
        assertThat(node.destinations()).allSatisfy(each -> {
            assertThat(each.attempts()).isEqualTo(AttemptTotals.NONE);
            assertThat(each.breaker()).isNotEqualTo(BreakerState.OPEN);
        });
        assertThat(call("GET", "/metrics").body().lines())
                .noneMatch(line -> line.matches("iocluster_(received|attempts|settled|failures)_total\\{.* [1-9].*"));
    }

    /**
     * Creates a node, starts it on another thread and waits until the warm-up runs. It may also have ended already, because the latency
     * was flat.
     */
    private CompletableFuture<Void> startInBackground(String yaml) throws IOException {
        node = Node.create(settings(yaml), pipelines);
        CompletableFuture<Void> start = CompletableFuture.runAsync(node::start);
        await().pollDelay(Duration.ZERO).until(() -> node.isWarmingUp() || start.isDone());
        return start;
    }

    private static LoadedSettings<NodeSettings> settings(String yaml) {
        return new SettingsLoader<>(NodeSettings.class, Map.of()).load("admin: {port: 0}\n" + yaml, Path.of("."));
    }

    private String envelope(String path) {
        return "{\"url\":\"" + target.url(path) + "\"}";
    }

    private HttpResponse<String> call(String method, String path) {
        return send(HttpRequest.newBuilder(uri(path)).method(method, BodyPublishers.noBody()));
    }

    private HttpResponse<String> patch(String body) {
        return send(HttpRequest.newBuilder(uri("/api/workers"))
                .method("PATCH", BodyPublishers.ofString(body))
                .header("Content-Type", "application/json"));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        return client.sendAsync(request.build(), BodyHandlers.ofString()).join();
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + node.adminAddress().getPort() + path);
    }
}
