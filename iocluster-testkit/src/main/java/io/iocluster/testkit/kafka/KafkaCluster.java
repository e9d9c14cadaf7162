package io.iocluster.testkit.kafka;

import io.iocluster.testkit.process.FreePorts;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A Kafka cluster of several brokers on this machine. The first one is also the only controller. Topics have a replica
 * on each broker. Owned by one test at a time; not thread-safe.
 */
public final class KafkaCluster implements AutoCloseable {

    private final List<KafkaProcess> brokers = new ArrayList<>();

    private KafkaCluster() {}

    /**
     * Starts this many brokers and returns when they form a cluster.
     *
     * @param properties override the configuration of each broker
     */
    public static KafkaCluster launch(int count, Map<String, String> properties) {
        KafkaCluster cluster = new KafkaCluster();
        try {
            cluster.start(count, properties);
            return cluster;
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    private void start(int count, Map<String, String> properties) {
        Map<String, String> overrides = new HashMap<>(KafkaServerProperties.replicationProperties(count));
        overrides.putAll(properties);
        int[] ports = FreePorts.find(count + 1);
        int controllerPort = ports[count];
        for (int i = 0; i < count; i++) {
            brokers.add(KafkaProcess.create(
                    ports[i],
                    i == 0
                            ? KafkaServerProperties.controllerProperties(ports[i], controllerPort)
                            : KafkaServerProperties.brokerProperties(i + 1, ports[i], controllerPort),
                    overrides));
        }
        brokers.forEach(KafkaProcess::startProcess);
        brokers.forEach(KafkaProcess::awaitStarted);
        try (KafkaAdmin admin = admin()) {
            admin.awaitBrokers(count);
        }
    }

    public List<KafkaProcess> brokers() {
        return List.copyOf(brokers);
    }

    /** Returns the value of {@code bootstrap.servers}. */
    public String bootstrapServers() {
        return brokers.stream().map(KafkaProcess::bootstrapServers).collect(Collectors.joining(","));
    }

    /** Returns the broker that leads the first partition of the topic. */
    public KafkaProcess leaderOf(String topic) {
        try (KafkaAdmin admin = admin()) {
            return brokers.get(admin.leaderOf(topic) - 1);
        }
    }

    /**
     * Moves the leader of each partition of the topics to another broker.
     *
     * @throws IllegalStateException if that broker's replica is not in sync
     */
    public void moveLeaders(Collection<String> topics) {
        try (KafkaAdmin admin = admin()) {
            admin.moveLeaders(topics);
        }
    }

    private KafkaAdmin admin() {
        return new KafkaAdmin(bootstrapServers());
    }

    @Override
    public void close() {
        brokers.forEach(KafkaProcess::close);
    }
}
