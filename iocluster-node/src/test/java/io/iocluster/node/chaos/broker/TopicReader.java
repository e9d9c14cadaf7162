package io.iocluster.node.chaos.broker;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads each record of a topic once, from the beginning. Confined to its caller's lock. */
final class TopicReader implements AutoCloseable {

    private static final Duration NEXT = Duration.ofMillis(20);

    private final KafkaConsumer<byte[], byte[]> consumer;

    TopicReader(String bootstrapServers, String topic) {
        consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", bootstrapServers, "enable.auto.commit", false, "fetch.max.wait.ms", 50),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                .map(info -> new TopicPartition(topic, info.partition()))
                .toList();
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
    }

    /** Reads the records that are available now. */
    void read(Consumer<byte[]> value) {
        for (ConsumerRecord<byte[], byte[]> next : consumer.poll(NEXT)) {
            value.accept(next.value());
        }
    }

    /** Reads up to the end that the topic has now. */
    void readToEnd(Consumer<byte[]> value) {
        Map<TopicPartition, Long> ends = consumer.endOffsets(consumer.assignment());
        while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
            read(value);
        }
    }

    @Override
    public void close() {
        consumer.close();
    }
}
