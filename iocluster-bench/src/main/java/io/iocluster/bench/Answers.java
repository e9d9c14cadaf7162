package io.iocluster.bench;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Looks at a topic of answers, by its ends alone or by reading it, outside of any group. Used by one thread. */
final class Answers implements AutoCloseable {

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final List<TopicPartition> partitions;

    Answers(String bootstrapServers, String topic, int partitions) {
        this.consumer = new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        bootstrapServers,
                        "max.poll.records",
                        5_000,
                        "check.crcs",
                        "false",
                        "auto.offset.reset",
                        "earliest"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        this.partitions = IntStream.range(0, partitions)
                .mapToObj(partition -> new TopicPartition(topic, partition))
                .toList();
        consumer.assign(this.partitions);
    }

    /** How many there are, without reading them. */
    long count() {
        return consumer.endOffsets(partitions).values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    /** Goes on with what comes from now on. */
    void skipToEnd() {
        consumer.seekToEnd(partitions);
        partitions.forEach(consumer::position);
    }

    ConsumerRecords<byte[], byte[]> poll(Duration within) {
        return consumer.poll(within);
    }

    /** Reads a sample from the start and says how many of it were answered with 200. */
    Sample sample(int size) {
        consumer.seekToBeginning(partitions);
        int read = 0;
        int good = 0;
        String bad = null;
        long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (read < size && System.nanoTime() - end < 0) {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
                read++;
                if (isGood(record.value())) {
                    good++;
                } else if (bad == null) {
                    bad = new String(record.value(), StandardCharsets.UTF_8);
                }
            }
        }
        return new Sample(read, good, bad);
    }

    static boolean isGood(byte[] answer) {
        String text = new String(answer, StandardCharsets.UTF_8);
        return text.contains("\"outcome\":\"answered\"") && text.contains("\"status\":200");
    }

    @Override
    public void close() {
        consumer.close();
    }

    /**
     * Some answers.
     *
     * @param bad one that was not 200, or null
     */
    record Sample(int read, int good, String bad) {}
}
