package io.iocluster.node.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.node.KafkaNodeFixture;
import io.iocluster.node.RabbitNodeFixture;
import io.iocluster.node.broker.ConfiguredBrokerAccess;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.SettingsLoader;
import io.iocluster.node.warmup.HeldWarmUp;
import io.iocluster.testkit.junit.SharedBrokers;
import io.iocluster.thread.Platform;
import java.io.IOException;
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

/** Tests on real brokers when nodes that warm up start to read. */
@Timeout(300)
class NodeWarmUpIT {

    private static final Duration LONG = Duration.ofMinutes(2);
    /** Longer than a node needs to join a group, and than the warm-up, which therefore makes no call after its release. */
    private static final Duration QUIET = Duration.ofSeconds(2);

    private static final Map<String, String> SHORT_WARM_UP = Map.of("IOCLUSTER_NODE_WARM_UP", "1s");

    private final HeldWarmUp held = new HeldWarmUp();

    @Test
    void aKafkaNodeJoinsAGroupWithoutReadersDuringTheWarmUp() throws Exception {
        try (KafkaNodeFixture kafka = new KafkaNodeFixture(2, Map.of());
                Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.broker.bootstrapServers()))) {
            try (Node node = warmingUp(kafka.configure("node-1", "none"));
                    held) {
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
        try (KafkaNodeFixture kafka = new KafkaNodeFixture(2, Map.of());
                Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.broker.bootstrapServers()))) {
            kafka.startInProcess("node-1", "none").awaitReady();
            try (Node node = warmingUp(kafka.configure("node-2", "none"));
                    held) {
                await().atMost(LONG)
                        .during(QUIET)
                        .until(() -> members(admin, kafka.group).equals(List.of("iocluster-node-1-source")));
                assertThat(node.isWarmingUp()).isTrue();

                held.close();

                await().atMost(LONG).until(() -> members(admin, kafka.group).size() == 2);
            }
        }
    }

    @Test
    void aRabbitNodeConsumesAfterTheWarmUp() throws Exception {
        try (RabbitNodeFixture rabbit = new RabbitNodeFixture(SharedBrokers.emptyRabbit())) {
            try (Node node = warmingUp(rabbit.configure("node-1"));
                    held) {
                await().atMost(LONG).during(QUIET).until(() -> consumers(rabbit) <= 0);
                assertThat(node.isWarmingUp()).isTrue();

                held.close();

                await().atMost(LONG).until(() -> consumers(rabbit) == 1);
            }
        }
    }

    /** Starts a node whose warm-up is held, and returns when the warm-up has started. */
    private Node warmingUp(Path config) throws IOException {
        Node node = Node.create(
                new SettingsLoader<>(NodeSettings.class, SHORT_WARM_UP).load(config),
                new BrokerPipelineFactory(new ConfiguredBrokerAccess(Instant.now(), Platform.system())),
                held.warmUp(),
                Platform.system());
        CompletableFuture.runAsync(node::start);
        await().atMost(LONG).until(node::isWarmingUp);
        return node;
    }

    private static long consumers(RabbitNodeFixture rabbit) {
        return rabbit.broker.queueNumber(rabbit.requests, "consumers");
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
}
