package io.iocluster.node;

import static org.awaitility.Awaitility.await;

import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.SettingsLoader;
import io.iocluster.testkit.junit.SharedBrokers;
import io.iocluster.testkit.kafka.KafkaBroker;
import io.iocluster.testkit.process.TempDirectory;
import io.iocluster.testkit.target.TargetServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * A Kafka broker with a node's topics, a target that records its requests, and nodes.
 * Owned by one test, or by one class of them.
 */
public final class KafkaNodeFixture implements AutoCloseable {

    public static final String GROUP = "stage";
    public static final String REQUESTS = "requests";
    public static final String ANSWERS = "answers";
    public static final String DEAD_LETTERS = "dead-letters";
    private static final AtomicInteger MADE = new AtomicInteger();
    private static final String LOOPBACK = "egress: {ports: [], allow-networks: [127.0.0.0/8]}";

    public final KafkaBroker broker;
    /** How many partitions each topic has. */
    public final int partitions;

    /** The nodes' consumer group. */
    public final String group;

    private final boolean isShared;
    private final String bootstrapServers;
    public final TargetServer target = TargetServer.start();
    private final TempDirectory folder = new TempDirectory("stage");
    private final List<RunningNode> nodes = new ArrayList<>();

    /**
     * Creates the topics on a broker that the tests of this JVM share. A test that stops it also starts it again.
     *
     * @param partitions of each topic
     * @param answers configuration of the topic of answers
     */
    public KafkaNodeFixture(int partitions, Map<String, String> answers) {
        this(SharedBrokers.emptyKafka(), partitions, answers);
    }

    private KafkaNodeFixture(KafkaBroker shared, int partitions, Map<String, String> answers) {
        // Killed nodes stay in the groups of earlier tests until their sessions end.
        this(shared, true, shared.bootstrapServers(), GROUP + "-" + MADE.incrementAndGet(), partitions, answers);
    }

    /**
     * Creates the topics on a cluster.
     *
     * @param broker any broker of the cluster; is closed with the fixture
     * @param bootstrapServers the nodes' setting
     */
    public KafkaNodeFixture(KafkaBroker broker, String bootstrapServers, int partitions, Map<String, String> answers) {
        this(broker, false, bootstrapServers, GROUP, partitions, answers);
    }

    private KafkaNodeFixture(
            KafkaBroker broker,
            boolean isShared,
            String bootstrapServers,
            String group,
            int partitions,
            Map<String, String> answers) {
        this.broker = broker;
        this.isShared = isShared;
        this.partitions = partitions;
        this.bootstrapServers = bootstrapServers;
        this.group = group;
        broker.createTopic(REQUESTS, partitions, Map.of());
        broker.createTopic(ANSWERS, partitions, answers);
        broker.createTopic(DEAD_LETTERS, partitions, Map.of());
        broker.createTopic(clusterTopic(), 1, Map.of());
    }

    /** Returns the topic of the nodes' announcements. */
    public String clusterTopic() {
        return group + ".nodes";
    }

    /**
     * Writes a node's configuration. Any port on loopback is allowed, unless a line sets {@code egress}.
     *
     * @param lines YAML lines to append after the section {@code kafka}; indented ones at the start belong to that section
     */
    public Path configure(String id, String ordering, String... lines) {
        String text = """
                node: {id: %s}
                admin: {port: 0}
                %s
                kafka:
                  bootstrap-servers: %s
                  requests: {topics: [%s], group: %s, ordering: %s}
                  answers: {topic: %s, reply-to: ["replies.*"]}
                  dead-letters: {topic: %s}
                %s
                """.formatted(
                        id,
                        List.of(lines).stream().anyMatch(line -> line.startsWith("egress:")) ? "" : LOOPBACK,
                        bootstrapServers,
                        REQUESTS,
                        group,
                        ordering,
                        ANSWERS,
                        DEAD_LETTERS,
                        String.join("\n", lines));
        try {
            return Files.writeString(folder.resolve(id + ".yaml"), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the settings for clients of the topics. */
    public KafkaSettings settings() {
        return new SettingsLoader<>(NodeSettings.class, Map.of())
                .load(configure("client", "none"))
                .settings()
                .kafka();
    }

    /** Starts a node as a process with this {@linkplain #configure configuration}, and returns at once. */
    public NodeProcess startNode(String id, String ordering, String... lines) {
        return startNode(id, List.of(), configure(id, ordering, lines));
    }

    /** Starts a node as a process with further JVM options, and returns at once. */
    public NodeProcess startNode(String id, List<String> jvmOptions, Path config) {
        NodeProcess node = NodeProcess.start(jvmOptions, config, folder.resolve(id + ".log"));
        nodes.add(node);
        return node;
    }

    /** Starts a node in this process with this {@linkplain #configure configuration}. */
    public RunningNode startInProcess(String id, String ordering, String... lines) {
        return startInProcess(configure(id, ordering, lines));
    }

    /** Starts a node in this process. */
    public RunningNode startInProcess(Path config) {
        RunningNode node = InProcessNode.start(Map.of(), config);
        nodes.add(node);
        return node;
    }

    /** Waits until the message's offset is committed. */
    public void awaitCommitted(RecordMetadata sent) {
        TopicPartition partition = new TopicPartition(sent.topic(), sent.partition());
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
            await().atMost(Duration.ofMinutes(2))
                    .failFast("no node is alive", () -> nodes.stream().noneMatch(RunningNode::isAlive))
                    .until(() -> {
                        OffsetAndMetadata committed = admin.listConsumerGroupOffsets(group)
                                .partitionsToOffsetAndMetadata()
                                .get()
                                .get(partition);
                        return committed != null && committed.offset() > sent.offset();
                    });
        }
    }

    @Override
    public void close() {
        nodes.forEach(RunningNode::close);
        target.close();
        if (!isShared) {
            broker.close();
        }
        folder.close();
    }
}
