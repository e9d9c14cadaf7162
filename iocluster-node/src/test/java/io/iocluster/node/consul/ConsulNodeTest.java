package io.iocluster.node.consul;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.message.AnswerDecoder;
import io.iocluster.message.Outcome;
import io.iocluster.node.ColdNode;
import io.iocluster.node.MemoryPipelines;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.SettingsLoader;
import io.iocluster.node.runtime.Node;
import io.iocluster.testkit.memory.MemoryBroker;
import io.iocluster.testkit.target.TargetServer;
import io.iocluster.thread.Platform;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tests a node with Consul configuration and registration on an in-memory broker. */
class ConsulNodeTest {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String KEY = "iocluster/nodes/all";
    private static final String SERVICE = "iocluster-node-1";

    private final TestAgent agent = TestAgent.start();
    private final TestConsulClient operator = new TestConsulClient(agent);
    private final MemoryBroker broker = new MemoryBroker();
    private final TargetServer target = TargetServer.start();

    @TempDir
    Path folder;

    private Path file;
    private Node node;

    @BeforeEach
    void startNode() throws Exception {
        file = folder.resolve("node.yaml");
        operator.put(KEY, "workers: {max-in-flight: 50}");
        write("");
        node = start();
    }

    @AfterEach
    void closeAll() {
        node.close();
        target.close();
        agent.close();
    }

    @Test
    void mergesTheValueOverTheFileAtTheStart() {
        assertThat(node.status().maxInFlight()).isEqualTo(50);
        assertThat(node.configuration().differs()).isFalse();
        await().until(() -> key().connected());
        assertThat(node.configuration().applied()).isZero();
        JsonNode consul = status().get("consul");
        assertThat(consul.get("address").asString()).isEqualTo(agent.address());
        assertThat(consul.at("/key/name").asString()).isEqualTo(KEY);
        assertThat(consul.at("/key/connected").asBoolean()).isTrue();
        assertThat(consul.at("/key/problem").isNull()).isTrue();
        assertThat(consul.at("/key/index").asLong()).isPositive();
        assertThat(text("/metrics")).contains("iocluster_consul_connected 1.0");
        assertAnswered();
    }

    @Test
    void appliesAChangedValue() {
        operator.put(KEY, "{workers: {max-in-flight: 600}, http: {timeout: 5s}}");

        await().until(() -> node.configuration().applied() == 1);
        assertThat(node.status().maxInFlight()).isEqualTo(600);
        assertThat(node.effectiveConfig().at("/http/timeout").asString()).isEqualTo("5s");
        assertAnswered();
    }

    @Test
    void appliesAChangedFileUnderTheSameValue() throws IOException {
        write("http: {timeout: 5s}\nworkers: {max-in-flight: 9, threads: 3}");

        await().until(() -> node.configuration().applied() == 1);
        assertThat(node.status().workers()).hasSize(3);
        assertThat(node.status().maxInFlight()).isEqualTo(50);
        assertThat(node.effectiveConfig().at("/http/timeout").asString()).isEqualTo("5s");
    }

    @Test
    void refusesAnInvalidValueAsAWholeAndKeepsItsSettings() {
        operator.put(KEY, "{workers: {max-in-flight: 0, thread: 2}, http: {timeout: 5s}}");

        await().until(() -> node.configuration().refused() == 1);
        assertThat(node.configuration().lastReload().errors())
                .containsExactlyInAnyOrder(
                        "workers.thread is not a known key; did you mean threads? (in Consul's key " + KEY + ")",
                        "workers.max-in-flight must be from 1 to 1000000: 0 (in Consul's key " + KEY + ")");
        assertThat(text("/metrics")).contains("iocluster_config_differs 1.0");
        assertThat(node.status().maxInFlight()).isEqualTo(50);
        assertThat(node.effectiveConfig().at("/http/timeout").asString()).isEqualTo("10s");
        assertAnswered();

        operator.put(KEY, "workers: {max-in-flight: 70}");
        await().until(() -> node.configuration().applied() == 1);
        assertThat(node.status().maxInFlight()).isEqualTo(70);
        assertThat(node.configuration().differs()).isFalse();
    }

    @Test
    void keepsItsSettingsWhenTheKeyIsDeleted() {
        operator.delete(KEY);

        await().until(() -> node.configuration().refused() == 1);
        assertThat(node.configuration().lastReload().errors())
                .containsExactly("config.consul.key is no longer in Consul: " + KEY);
        assertThat(node.status().maxInFlight()).isEqualTo(50);
        assertThat(key().connected()).isTrue();

        operator.put(KEY, "workers: {max-in-flight: 50}");
        await().until(() -> !node.configuration().differs());
    }

    @Test
    void keepsRunningWithoutTheAgentAndReconnects() throws IOException {
        await().until(() ->
                key().connected() && node.consul().orElseThrow().service().registered());

        agent.stop();
        await().until(() ->
                !key().connected() && !node.consul().orElseThrow().service().registered());
        assertThat(key().problem()).isNotBlank();
        assertThat(text("/metrics")).contains("iocluster_consul_connected 0.0", "iocluster_consul_registered 0.0");
        assertThat(node.configuration().differs()).isFalse();
        write("http: {timeout: 5s}");
        await().until(() ->
                node.effectiveConfig().at("/http/timeout").asString().equals("5s"));
        assertThat(node.status().maxInFlight()).isEqualTo(50);
        assertAnswered();

        agent.restart();
        operator.put(KEY, "workers: {max-in-flight: 80}");
        await().until(() -> node.status().maxInFlight() == 80);
        assertThat(key().connected()).isTrue();
        assertThat(key().problem()).isNull();
        await().until(() -> operator.has(SERVICE));
        assertThat(text("/metrics")).contains("iocluster_consul_connected 1.0");
    }

    @Test
    void isRegisteredUntilItIsClosed() {
        await().until(() -> operator.statusOf(SERVICE + ":ready").equals("passing"));
        assertThat(operator.statusOf(SERVICE + ":alive")).isEqualTo("passing");
        assertThat(status().at("/consul/service"))
                .isEqualTo(JSON.readTree("{\"id\": \"" + SERVICE + "\", \"registered\": true, \"problem\": null}"));

        node.drain();
        await().until(() -> operator.statusOf(SERVICE + ":ready").equals("critical"));
        assertThat(operator.statusOf(SERVICE + ":alive")).isEqualTo("passing");

        node.close();
        assertThat(operator.has(SERVICE)).isFalse();
    }

    @Test
    void registersAgainWhenTheAgentLostTheService() {
        await().until(() -> operator.has(SERVICE));

        operator.deregister(SERVICE);

        await().until(() -> operator.has(SERVICE));
    }

    @Test
    void reportsItsStateWithTtlChecks() throws Exception {
        node.close();
        write("", "check: ttl, ");
        node = start();
        await().until(() -> operator.statusOf(SERVICE + ":ready").equals("passing"));
        assertThat(operator.statusOf(SERVICE + ":alive")).isEqualTo("passing");

        node.drain();
        await().until(() -> operator.statusOf(SERVICE + ":ready").equals("critical"));
    }

    private Node start() throws Exception {
        var loader = new SettingsLoader<>(NodeSettings.class, ColdNode.ENVIRONMENT);
        loader = loader.withOverlay(
                InitialKeyValue.await(loader.load(file).settings().config().consul(), Platform.system()));
        Node started = Node.start(loader.load(file), MemoryPipelines.alone(broker));
        started.watchConfiguration(file, loader);
        return started;
    }

    private void write(String yaml) throws IOException {
        write(yaml, "");
    }

    private void write(String yaml, String service) throws IOException {
        Files.write(
                file,
                List.of(
                        "node: {id: node-1}",
                        "admin: {port: 0}",
                        "egress: {ports: [], allow-networks: [127.0.0.0/8]}",
                        "config: {poll-interval: 50ms, consul: {address: '" + agent.address() + "', key: " + KEY
                                + ", min-interval: 10ms, base-delay: 10ms, max-delay: 50ms, service: {" + service
                                + "check-interval: 50ms}}}",
                        yaml));
    }

    private ConsulStatus.KeyStatus key() {
        return node.consul().orElseThrow().key();
    }

    private JsonNode status() {
        return JSON.readTree(text("/api/status"));
    }

    private String text(String path) {
        int port = node.adminAddress().getPort();
        try (var body = URI.create("http://127.0.0.1:" + port + path).toURL().openStream()) {
            return new String(body.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private void assertAnswered() {
        int before = broker.answers().size();
        broker.send("{\"url\":\"" + target.url("/ok") + "\"}");
        await().until(() -> broker.answers().size() > before);
        assertThat(new AnswerDecoder()
                        .decode(broker.answers().get(before).payload())
                        .outcome())
                .isEqualTo(Outcome.ANSWERED);
    }
}
