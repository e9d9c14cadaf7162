package io.iocluster.testkit.kafka;

import io.iocluster.testkit.broker.Docker;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A broker of one node that a test can take away and bring back. The address and the data stay the same until {@link
 * #close}, which deletes the data. Owned by one test at a time; not safe for several threads.
 */
public interface KafkaBroker extends AutoCloseable {

    /** Names the provider, {@code process} or {@code container}, for {@link #launch}. */
    String PROVIDER_PROPERTY = "iocluster.broker";

    /**
     * Starts a broker and returns when it answers: a child process, or a container where the system property {@value
     * #PROVIDER_PROPERTY} asks for one and Docker runs.
     */
    static KafkaBroker launch() {
        return launch(Map.of());
    }

    /**
     * Like {@link #launch()}.
     *
     * @param properties added to the broker's configuration, or replacing what it has
     */
    static KafkaBroker launch(Map<String, String> properties) {
        if (System.getProperty(PROVIDER_PROPERTY, "process").equals("container") && Docker.isAvailable()) {
            return KafkaDocker.launch(properties);
        }
        return KafkaProcess.launch(properties);
    }

    /** What {@code bootstrap.servers} takes. */
    String bootstrapServers();

    /** Creates the topic and returns when each partition has a leader. */
    default void createTopic(String name, int partitions, Map<String, String> configs) {
        try (KafkaAdmin admin = new KafkaAdmin(bootstrapServers())) {
            admin.createTopic(name, partitions, configs);
        }
    }

    /** What the topic holds now, from its beginning; within a partition in the broker's order. */
    default List<ConsumerRecord<byte[], byte[]>> readAll(String topic) {
        return TopicContents.read(bootstrapServers(), topic);
    }

    /** Starts it again after {@link #stop} or {@link #kill}, and returns when it answers. */
    void start();

    /** Ends it gracefully; its data is kept. */
    void stop();

    /** Ends it at once, by SIGKILL; its data is kept as it is. */
    void kill();

    /** Freezes it, by SIGSTOP: connections stay open and nothing answers. */
    void pause();

    void unpause();

    @Override
    void close();
}
