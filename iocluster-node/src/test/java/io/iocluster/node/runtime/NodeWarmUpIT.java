package io.iocluster.node.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.node.KafkaNodeFixture;
import io.iocluster.node.NodeProcess;
import io.iocluster.node.RabbitNodeFixture;
import io.iocluster.node.broker.ConfiguredBrokerAccess;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.LoadedSettings;
import io.iocluster.node.config.binding.SettingsLoader;
import io.iocluster.node.warmup.HeldWarmUp;
import io.iocluster.testkit.junit.SharedBrokers;
import io.iocluster.testkit.process.TempDirectory;
import io.iocluster.thread.Platform;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests nodes that warm up before they read from a real broker. */
@Timeout(300)
class NodeWarmUpIT {

    private static final Duration LONG = Duration.ofMinutes(2);

    private final TempDirectory folder = new TempDirectory("warm-up");
    private final HeldWarmUp held = new HeldWarmUp();

    @Test
    void aKafkaNodeJoinsAGroupWithoutReadersDuringTheWarmUp() throws Exception {
        try (folder;
                KafkaNodeFixture kafka = new KafkaNodeFixture(2, Map.of());
                Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.broker.bootstrapServers()))) {
            LoadedSettings<NodeSettings> settings =
                    new SettingsLoader<>(NodeSettings.class, Map.of()).load(kafka.configure("node-1", "none"));
            PipelineFactory pipelines =
                    new BrokerPipelineFactory(new ConfiguredBrokerAccess(Instant.now(), Platform.system()));
            try (Node node = Node.create(settings, pipelines, held.warmUp(), Platform.system());
                    held) {
                CompletableFuture.runAsync(node::start);
                await().atMost(LONG)
                        .until(() -> members(admin, kafka.group).equals(List.of("iocluster-node-1-source")));

                assertThat(node.isWarmingUp()).isTrue();
                assertThat(node.awaitDrained()).isTrue();
            }
            assertThat(members(admin, kafka.group)).isEmpty();
        }
    }

    @Test
    void aKafkaNodeJoinsTheGroupOfAnotherNodeAfterTheWarmUp() throws Exception {
        try (folder;
                KafkaNodeFixture kafka = new KafkaNodeFixture(2, Map.of());
                Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.broker.bootstrapServers()));
                NodeProcess reading =
                        start("0s", kafka.configure("node-1", "none")).awaitReady()) {
            try (NodeProcess node = start("2s", kafka.configure("node-2", "none"))) {
                await().atMost(LONG).until(() -> members(admin, kafka.group).size() == 2);
                assertThat(line(node, "Warm-up ")).as("warm-up has ended").isPositive();

                node.awaitReady();
                assertWarmedUpBeforeItConnected(node);
                assertNothingIsCounted(node);
            }
            assertThat(reading.isAlive()).isTrue();
        }
    }

    @Test
    void aRabbitNodeConsumesAfterTheWarmUp() throws Exception {
        try (folder;
                RabbitNodeFixture rabbit = new RabbitNodeFixture(SharedBrokers.emptyRabbit())) {
            try (NodeProcess warming = start("1h", rabbit.configure("node-1"))) {
                warming.adminUrl();
                assertThat(warming.terminate(LONG)).isZero();
            }
            try (NodeProcess node = start("1s", rabbit.configure("node-2"))) {
                node.awaitReady();
                assertWarmedUpBeforeItConnected(node);
                assertNothingIsCounted(node);
            }
        }
    }

    private static List<String> members(Admin admin, String name) throws Exception {
        try {
            return admin.describeConsumerGroups(List.of(name)).all().get().values().stream()
                    .flatMap(group -> group.members().stream().map(MemberDescription::clientId))
                    .toList();
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof GroupIdNotFoundException) {
                return List.of();
            }
            throw failed;
        }
    }

    private NodeProcess start(String warmUp, Path config) {
        return NodeProcess.start(
                List.of(),
                Map.of("IOCLUSTER_NODE_WARM_UP", warmUp),
                config,
                folder.resolve(config.getFileName() + ".log"));
    }

    private static void assertWarmedUpBeforeItConnected(NodeProcess node) {
        await().atMost(LONG).until(() -> line(node, "Node connected") >= 0);
        assertThat(line(node, "Warm-up "))
                .isGreaterThan(line(node, "Node started"))
                .isLessThan(line(node, "Node connected"));
    }

    /** Returns the number of the first line with this text, negative if there is none. */
    private static int line(NodeProcess node, String text) {
        List<String> lines = node.logLines();
        return lines.indexOf(
                lines.stream().filter(each -> each.contains(text)).findFirst().orElse("no such line"));
    }

    private static void assertNothingIsCounted(NodeProcess node) throws Exception {
        assertThat(node.get("/metrics").body().lines())
                .noneMatch(each -> each.matches("iocluster_(received|attempts|settled|failures)_total\\{.* [1-9].*"));
        assertThat(node.get("/api/destinations").body()).doesNotContain("127.0.0.1:");
    }
}
