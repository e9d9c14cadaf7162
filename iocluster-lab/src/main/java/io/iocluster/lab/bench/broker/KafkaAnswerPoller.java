package io.iocluster.lab.bench.broker;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads a topic of answers without a group, or only counts its records. Confined to one thread. */
final class KafkaAnswerPoller implements AnswerPoller {

    private static final Duration READ_TIMEOUT = Duration.ofSeconds(20);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final List<TopicPartition> partitions;

    KafkaAnswerPoller(String bootstrapServers, List<TopicPartition> partitions) {
        this.partitions = partitions;
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
        consumer.assign(partitions);
    }

    @Override
    public long count() {
        return consumer.endOffsets(partitions).values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    @Override
    public List<PolledAnswer> poll(Duration within) {
        List<PolledAnswer> polled = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(within)) {
            polled.add(new PolledAnswer(due(record), record.value()));
        }
        return polled;
    }

    @Override
    public long[] publishTimes() {
        long[] times = new long[Math.toIntExact(count())];
        int read = 0;
        consumer.seekToBeginning(partitions);
        while (read < times.length) {
            ConsumerRecords<byte[], byte[]> batch = consumer.poll(READ_TIMEOUT);
            if (batch.isEmpty()) {
                throw new IllegalStateException("read only " + read + " of " + times.length + " answers");
            }
            for (ConsumerRecord<byte[], byte[]> answer : batch) {
                // A duplicate may arrive meanwhile.
                if (read < times.length) {
                    times[read++] = answer.timestamp();
                }
            }
        }
        Arrays.sort(times);
        return times;
    }

    private static long due(ConsumerRecord<byte[], byte[]> record) {
        return ByteBuffer.wrap(record.headers().lastHeader(EnvelopeWriter.DUE).value())
                .getLong();
    }

    @Override
    public void close() {
        consumer.close();
    }
}
