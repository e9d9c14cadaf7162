package io.iocluster.node.chaos.broker;

import io.iocluster.node.KafkaNodeFixture;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** A member of the nodes' consumer group that takes partitions away from them, reads nothing, commits nothing and leaves. */
final class IdleGroupMember {

    private static final Duration POLL = Duration.ofMillis(50);

    private IdleGroupMember() {}

    /** Joins, and leaves after this time. */
    static void join(String bootstrapServers, Duration stay) {
        long end = System.nanoTime() + stay.toNanos();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        bootstrapServers,
                        "group.id",
                        KafkaNodeFixture.GROUP,
                        "group.protocol",
                        "consumer",
                        "enable.auto.commit",
                        false),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            consumer.subscribe(List.of(KafkaNodeFixture.REQUESTS), new ConsumerRebalanceListener() {
                @Override
                public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
                    consumer.pause(partitions);
                }

                @Override
                public void onPartitionsRevoked(Collection<TopicPartition> partitions) {}
            });
            while (System.nanoTime() - end < 0) {
                consumer.poll(POLL);
            }
        }
    }
}
