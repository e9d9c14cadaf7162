package io.iocluster.kafka.cluster;

import io.iocluster.kafka.config.BoundedBytesDeserializer;
import io.iocluster.kafka.config.KafkaConnections;
import io.iocluster.transport.cluster.ClusterChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * A consumer without a group and a producer, for the only partition of the topic of announcements. Limits what others can make the
 * node read. Confined to the channel's thread.
 */
final class AnnouncementClients implements AutoCloseable {

    private static final Duration OPEN_WITHIN = Duration.ofSeconds(5);
    private static final Duration CLOSE_WITHIN = Duration.ofMillis(200);
    private static final long POLL_BYTES = 4 << 20;

    private final TopicPartition partition;
    private final byte[] key;
    private final BoundedBytesDeserializer keys = new BoundedBytesDeserializer(ClusterChannel.MAX_RECORD_BYTES);
    private final Consumer<byte[], byte[]> consumer;
    private final Producer<byte[], byte[]> producer;

    /**
     * Connects, and starts to read at the end of the topic.
     *
     * @param connections their name is the key of the records, by which the broker compacts the topic
     * @throws org.apache.kafka.common.KafkaException if the partition cannot be read
     */
    AnnouncementClients(KafkaConnections connections, String topic) {
        this.partition = new TopicPartition(topic, 0);
        this.key = connections.name().getBytes(StandardCharsets.UTF_8);
        this.consumer = connections.openConsumer(connections.properties().clusterConsumer(), keys, keys.ofValues());
        try {
            consumer.assign(List.of(partition));
            consumer.seekToEnd(List.of(partition));
            consumer.position(partition, OPEN_WITHIN);
            this.producer = connections.openProducer(connections.properties().clusterProducer());
        } catch (RuntimeException failed) {
            consumer.close(CloseOptions.timeout(CLOSE_WITHIN));
            throw failed;
        }
    }

    void send(byte[] record, Callback confirmed) {
        producer.send(new ProducerRecord<>(partition.topic(), partition.partition(), key, record), confirmed);
    }

    /** Returns the next records. The value of one that is too large is null. */
    List<ConsumerRecord<byte[], byte[]>> poll(Duration timeout) {
        keys.setPollBudget(POLL_BYTES);
        ConsumerRecords<byte[], byte[]> polled = consumer.poll(timeout);
        polled.forEach(keys::limitHeadersOfEmptyRecord);
        return polled.records(partition);
    }

    /** Reads nothing until {@link #resumeAtEnd}. */
    void pause() {
        consumer.pause(List.of(partition));
    }

    /**
     * Ends a {@link #pause} and continues at the end of the topic.
     *
     * @return number of records that were skipped; 0 if reading is not paused
     */
    long resumeAtEnd() {
        if (consumer.paused().isEmpty()) {
            return 0;
        }
        long next = consumer.position(partition, OPEN_WITHIN);
        consumer.seekToEnd(List.of(partition));
        long skipped = consumer.position(partition, OPEN_WITHIN) - next;
        consumer.resume(List.of(partition));
        return Math.max(0, skipped);
    }

    @Override
    public void close() {
        producer.close(CLOSE_WITHIN);
        consumer.close(CloseOptions.timeout(CLOSE_WITHIN));
    }
}
