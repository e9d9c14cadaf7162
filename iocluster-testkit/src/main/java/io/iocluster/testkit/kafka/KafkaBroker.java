package io.iocluster.testkit.kafka;

import io.iocluster.testkit.broker.Docker;
import io.iocluster.testkit.broker.RestartableBroker;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A single-node broker that a test can stop and start. Address and data stay the same until {@link #close}, which
 * deletes the data. Owned by one test at a time; not thread-safe.
 */
public interface KafkaBroker extends RestartableBroker, AutoCloseable {

    /** The system property that selects the provider for {@link #launch}: {@code process} or {@code container}. */
    String PROVIDER_PROPERTY = "iocluster.broker";

    /**
     * Starts a broker and returns when it answers. It is a child process, or a container if the system property {@value
     * #PROVIDER_PROPERTY} is {@code container} and Docker runs.
     */
    static KafkaBroker launch() {
        return launch(Map.of());
    }

    /**
     * Starts a broker like {@link #launch()}.
     *
     * @param properties override the broker's configuration
     */
    static KafkaBroker launch(Map<String, String> properties) {
        if (System.getProperty(PROVIDER_PROPERTY, "process").equals("container") && Docker.isAvailable()) {
            return KafkaDocker.launch(properties);
        }
        return KafkaProcess.launch(properties);
    }

    /** Returns the value of {@code bootstrap.servers}. */
    String bootstrapServers();

    /** Creates the topic and returns when each partition has a leader. */
    default void createTopic(String name, int partitions, Map<String, String> configs) {
        try (KafkaAdmin admin = new KafkaAdmin(bootstrapServers())) {
            admin.createTopic(name, partitions, configs);
        }
    }

    /** Deletes all topics except those of Kafka itself, and returns when the broker has forgotten them. */
    default void deleteTopics() {
        try (KafkaAdmin admin = new KafkaAdmin(bootstrapServers())) {
            admin.deleteTopics();
        }
    }

    /** Returns all records of the topic, ordered by offset in each partition. */
    default List<ConsumerRecord<byte[], byte[]>> readAll(String topic) {
        return TopicContents.read(bootstrapServers(), topic);
    }

    @Override
    void close();
}
