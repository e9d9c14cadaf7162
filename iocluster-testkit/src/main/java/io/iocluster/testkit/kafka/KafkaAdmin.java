package io.iocluster.testkit.kafka;

import io.iocluster.testkit.broker.Polling;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;

/** Admin requests to a test broker. Confined to one thread. */
final class KafkaAdmin implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private final Admin admin;

    KafkaAdmin(String bootstrapServers) {
        this.admin = Admin.create(Map.of(
                "bootstrap.servers",
                bootstrapServers,
                "request.timeout.ms",
                "5000",
                "default.api.timeout.ms",
                "10000",
                "enable.metrics.push",
                "false"));
    }

    /**
     * Waits until the broker answers.
     *
     * @param alive polled between attempts; the wait ends when it is false
     * @return whether the broker answers
     */
    static boolean awaitReady(String host, int port, Duration timeout, BooleanSupplier alive) {
        long end = System.nanoTime() + timeout.toNanos();
        if (!Polling.pollUntil(end, () -> !alive.getAsBoolean() || Polling.isListening(host, port))) {
            return false;
        }
        try (KafkaAdmin admin = new KafkaAdmin(host + ":" + port)) {
            return Polling.pollUntil(end, () -> !alive.getAsBoolean() || admin.hasNode()) && alive.getAsBoolean();
        }
    }

    void createTopic(String name, int partitions, Map<String, String> configs) {
        NewTopic topic = new NewTopic(name, Optional.of(partitions), Optional.empty()).configs(configs);
        get(admin.createTopics(List.of(topic)).all(), "cannot create topic " + name);
        long end = System.nanoTime() + TIMEOUT.toNanos();
        if (!Polling.pollUntil(end, () -> hasLeaders(name, partitions))) {
            throw new IllegalStateException("topic " + name + " has a partition without a leader after " + TIMEOUT);
        }
    }

    /** Waits for the broker too: it learns from the controller which topics are gone, and would take a new one for the deleted one. */
    void deleteTopics() {
        get(admin.deleteTopics(topics()).all(), "cannot delete the topics");
        long end = System.nanoTime() + TIMEOUT.toNanos();
        if (!Polling.pollUntil(end, () -> topics().isEmpty())) {
            throw new IllegalStateException("the broker still has the topics " + topics() + " after " + TIMEOUT);
        }
    }

    private Set<String> topics() {
        return get(admin.listTopics().names(), "cannot list the topics");
    }

    /** Waits until the cluster has this many brokers. */
    void awaitBrokers(int count) {
        long end = System.nanoTime() + TIMEOUT.toNanos();
        String problem = "cannot describe the cluster";
        if (!Polling.pollUntil(
                end, () -> get(admin.describeCluster().nodes(), problem).size() >= count)) {
            throw new IllegalStateException("the cluster has fewer than " + count + " brokers after " + TIMEOUT);
        }
    }

    /** Returns the id of the broker that leads the first partition. */
    int leaderOf(String topic) {
        Node leader = describe(List.of(topic)).get(topic).partitions().get(0).leader();
        if (leader == null) {
            throw new IllegalStateException("topic " + topic + " has no leader");
        }
        return leader.id();
    }

    /**
     * Moves the leader of each partition to another of its replicas.
     *
     * @throws IllegalStateException if that replica is not in sync
     */
    void moveLeaders(Collection<String> topics) {
        Map<TopicPartition, Optional<NewPartitionReassignment>> otherFirst = new HashMap<>();
        describe(topics)
                .forEach((name, topic) -> topic.partitions().forEach(partition -> {
                    List<Integer> replicas = new ArrayList<>(
                            partition.replicas().stream().map(Node::id).toList());
                    if (partition.leader() != null) {
                        // The broker elects the first replica.
                        replicas.remove((Integer) partition.leader().id());
                        replicas.add(partition.leader().id());
                    }
                    otherFirst.put(
                            new TopicPartition(name, partition.partition()),
                            Optional.of(new NewPartitionReassignment(replicas)));
                }));
        get(admin.alterPartitionReassignments(otherFirst).all(), "cannot reorder the replicas of " + topics);
        get(admin.electLeaders(ElectionType.PREFERRED, otherFirst.keySet()).all(), "cannot elect leaders of " + topics);
    }

    private Map<String, TopicDescription> describe(Collection<String> topics) {
        return get(admin.describeTopics(topics).allTopicNames(), "cannot describe " + topics);
    }

    private static <T> T get(KafkaFuture<T> future, String problem) {
        try {
            return future.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException(problem, e);
        }
    }

    @Override
    public void close() {
        admin.close(Duration.ofSeconds(2));
    }

    private boolean hasNode() {
        try {
            return !admin.describeCluster().nodes().get(5, TimeUnit.SECONDS).isEmpty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException | TimeoutException e) {
            return false;
        }
    }

    /**
     * Returns whether each partition's leader knows that it is the leader. Before that, records of a producer may be
     * lost (KAFKA-15591).
     */
    private boolean hasLeaders(String name, int partitions) {
        Map<TopicPartition, OffsetSpec> ends = IntStream.range(0, partitions)
                .boxed()
                .collect(Collectors.toMap(i -> new TopicPartition(name, i), i -> OffsetSpec.latest()));
        try {
            admin.listOffsets(ends).all().get(5, TimeUnit.SECONDS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException | TimeoutException e) {
            return false;
        }
    }
}
