package io.iocluster.testkit.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads all records of a topic, with a new consumer each time. Stateless. */
final class TopicContents {

    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private TopicContents() {}

    static List<ConsumerRecord<byte[], byte[]>> read(String bootstrapServers, String topic) {
        // close() waits for the last fetch, which the broker delays by fetch.max.wait.ms at the end of the topic.
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        bootstrapServers,
                        "fetch.max.wait.ms",
                        "50",
                        "enable.metrics.push",
                        "false"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(info -> new TopicPartition(topic, info.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            return readToEnd(consumer, consumer.endOffsets(partitions));
        }
    }

    private static List<ConsumerRecord<byte[], byte[]>> readToEnd(
            KafkaConsumer<byte[], byte[]> consumer, Map<TopicPartition, Long> ends) {
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("topic not read to its end within " + TIMEOUT + ": " + ends);
            }
            consumer.poll(Duration.ofMillis(100)).forEach(records::add);
        }
        return records;
    }
}
