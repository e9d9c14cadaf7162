package io.iocluster.bench.kafka;

import io.iocluster.bench.queue.Answers;
import io.iocluster.bench.queue.SeenAnswer;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Looks at a topic of answers, by its ends alone or by reading it, outside of any group. */
final class KafkaAnswers implements Answers {

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final List<TopicPartition> partitions;

    KafkaAnswers(String bootstrapServers, List<TopicPartition> partitions) {
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
    public List<SeenAnswer> poll(Duration within) {
        List<SeenAnswer> seen = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(within)) {
            seen.add(new SeenAnswer(due(record), record.value()));
        }
        return seen;
    }

    private static long due(ConsumerRecord<byte[], byte[]> record) {
        return ByteBuffer.wrap(record.headers().lastHeader(KafkaEnvelopes.DUE).value())
                .getLong();
    }

    @Override
    public void close() {
        consumer.close();
    }
}
