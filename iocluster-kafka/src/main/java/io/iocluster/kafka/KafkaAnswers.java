package io.iocluster.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Follows the topic of the answers, for people and scripts: it joins no group and commits nothing. Confined to the thread
 * that made it, and blocks it.
 */
public final class KafkaAnswers implements AutoCloseable {

    private final KafkaConsumer<byte[], byte[]> consumer;

    /** One answer; key and value may be null. */
    public record Received(byte[] key, byte[] value) {}

    /**
     * Begins to follow.
     *
     * @param fromNow whether only answers count that come from now on; otherwise all that the topic holds
     * @throws KafkaException if the broker is away or the topic does not exist
     */
    public KafkaAnswers(KafkaSettings settings, String clientName, boolean fromNow) {
        ClientProperties properties = new ClientProperties(settings, clientName);
        consumer = new KafkaConsumer<>(properties.reader("answers"));
        try {
            begin(settings.answers().topic(), fromNow);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private void begin(String topic, boolean fromNow) {
        List<PartitionInfo> found = consumer.partitionsFor(topic, Duration.ofSeconds(10));
        if (found == null || found.isEmpty()) {
            throw new UnknownTopicOrPartitionException("the topic " + topic + " does not exist");
        }
        List<TopicPartition> partitions = new ArrayList<>();
        found.forEach(info -> partitions.add(new TopicPartition(topic, info.partition())));
        consumer.assign(partitions);
        if (fromNow) {
            consumer.seekToEnd(partitions);
        } else {
            consumer.seekToBeginning(partitions);
        }
        // Asked for now, so that "from now" is before whatever the caller does next.
        partitions.forEach(consumer::position);
    }

    /** Waits for answers, at most for the given time; may be empty. */
    public List<Received> poll(Duration atMost) {
        List<Received> received = new ArrayList<>();
        try {
            for (ConsumerRecord<byte[], byte[]> message : consumer.poll(atMost)) {
                received.add(new Received(message.key(), message.value()));
            }
        } catch (InvalidOffsetException cutOff) {
            consumer.seekToBeginning(cutOff.partitions());
        }
        return received;
    }

    @Override
    public void close() {
        consumer.close(CloseOptions.timeout(Duration.ofSeconds(2)));
    }
}
