package io.iocluster.kafka.config;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.ShareConsumer;

/** Creates the members of a share group. The topics are prepared on the poll thread; any thread creates a consumer after that. */
public final class ShareConsumerFactory {

    private final KafkaConnections connections;
    private final TopicPreparation topics;
    private final long maxRecordBytes;

    /** @param maxRecordBytes maximum bytes of a key, a value or all headers of a record; larger ones are dropped */
    public ShareConsumerFactory(KafkaConnections connections, KafkaTopicAdmin topics, long maxRecordBytes) {
        this.connections = connections;
        this.topics = new TopicPreparation(topics, "share");
        this.maxRecordBytes = maxRecordBytes;
    }

    /**
     * Creates missing topics, if the settings enable it.
     *
     * @throws org.apache.kafka.common.KafkaException if a topic cannot be created
     */
    public void prepareTopics() {
        topics.prepare();
    }

    /**
     * Creates a consumer.
     *
     * @param number distinguishes the consumers of this node
     * @throws org.apache.kafka.common.KafkaException if a property is invalid
     */
    public ShareConsumer<byte[], byte[]> open(int number) {
        Map<String, Object> consumer = new HashMap<>(connections.properties().shareConsumer(number));
        topics.limitPoll(consumer);
        BoundedBytesDeserializer keys = new BoundedBytesDeserializer(maxRecordBytes);
        return connections.openShareConsumer(consumer, keys, keys.ofValues());
    }

    /** Polls a consumer on its thread. */
    public ConsumerRecords<byte[], byte[]> poll(ShareConsumer<byte[], byte[]> consumer, Duration timeout) {
        ConsumerRecords<byte[], byte[]> records = consumer.poll(timeout);
        BoundedBytesDeserializer limit = new BoundedBytesDeserializer(maxRecordBytes);
        records.forEach(limit::limitHeadersOfEmptyRecord);
        return records;
    }
}
