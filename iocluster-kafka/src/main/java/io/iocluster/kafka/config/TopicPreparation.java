package io.iocluster.kafka.config;

import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;

/** Prepares the topics before the first consumer of a source is created. Confined to the poll thread. */
final class TopicPreparation {

    /**
     * Maximum number of records of a poll if a topic accepts compressed records. It limits records with neither a key
     * nor a value, because the client calls no deserializer for them.
     */
    private static final int MAX_COMPRESSED_POLL_RECORDS = 128;

    private final KafkaTopicAdmin topics;
    private final String role;
    private boolean prepared;
    private boolean uncompressed;

    /** @param role part of the client ids */
    TopicPreparation(KafkaTopicAdmin topics, String role) {
        this.topics = topics;
        this.role = role;
    }

    /**
     * Creates missing topics, if the settings enable it, and queries whether they accept compressed records. Does nothing
     * after it has succeeded once.
     *
     * @throws org.apache.kafka.common.KafkaException if a topic cannot be created
     */
    void prepare() {
        if (!prepared) {
            topics.createMissing(role);
            uncompressed = topics.areUncompressed(role);
            prepared = true;
        }
    }

    /** Limits the records of a poll if a topic accepts compressed ones, unless the user has set a limit. */
    void limitPoll(Map<String, Object> consumer) {
        if (!uncompressed) {
            consumer.putIfAbsent(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, MAX_COMPRESSED_POLL_RECORDS);
        }
    }
}
