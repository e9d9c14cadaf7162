package io.iocluster.kafka.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.kafka.KafkaTestSettings;
import io.iocluster.kafka.KafkaTransport;
import io.iocluster.kafka.config.KafkaConnections;
import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.kafka.config.KafkaSettings.AutoOffsetReset;
import io.iocluster.kafka.config.KafkaSettings.Ordering;
import io.iocluster.kafka.ledger.TestRecords;
import io.iocluster.testkit.contract.RecordingIntake;
import io.iocluster.testkit.junit.SharedBrokers;
import io.iocluster.testkit.kafka.KafkaBroker;
import io.iocluster.transport.RequestSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Starting positions of a group. */
class KafkaOffsetsIT {

    private static final AtomicInteger TESTS = new AtomicInteger();
    private static KafkaBroker broker;
    private static Admin admin;

    private final List<RequestSource> sources = new ArrayList<>();
    private String group;
    private String topic;

    @BeforeAll
    static void emptyBroker() {
        broker = SharedBrokers.emptyKafka();
        admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()));
    }

    @AfterAll
    static void closeAdmin() {
        admin.close(Duration.ofSeconds(1));
    }

    @BeforeEach
    void name() {
        group = "offsets-" + TESTS.incrementAndGet();
        topic = group + ".requests";
    }

    @AfterEach
    void closeSources() {
        sources.forEach(source -> source.close(Duration.ofSeconds(5)));
    }

    @Test
    void readsAnAddedPartitionFromItsBeginningIfTheGroupStartedAtTheEnd() throws Exception {
        broker.createTopic(topic, 1, Map.of());
        send("history", 0);
        RecordingIntake intake = RecordingIntake.acknowledging();
        start(intake);
        await().until(() -> committed(0) != null);

        admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(3))).all().get();
        send("early", 1);
        send("early", 2);

        await().untilAsserted(() -> assertThat(intake.acceptedPayloads()).hasSize(20));
        assertThat(Set.copyOf(intake.acceptedPayloads())).hasSize(10).noneMatch(each -> each.startsWith("history"));
    }

    @Test
    void startsAnInitialPartitionAtItsEndIfAnotherNodeStartedTheGroup() throws Exception {
        broker.createTopic(topic, 2, Map.of());
        send("history", 0);
        send("history", 1);
        RequestSource first = start(RecordingIntake.acknowledging());
        await().until(() -> committed(0) != null && committed(1) != null);
        first.close(Duration.ofMinutes(1));
        // Simulates two nodes that start the group together. The second one has not committed yet.
        admin.deleteConsumerGroupOffsets(group, Set.of(new TopicPartition(topic, 1)))
                .all()
                .get();

        RecordingIntake second = RecordingIntake.acknowledging();
        start(second);
        await().until(() -> committed(1) != null);
        send("new", 1);

        await().until(() -> second.accepted.size() >= 10);
        assertThat(second.acceptedPayloads()).hasSize(10).allMatch(each -> each.startsWith("new"));
    }

    private RequestSource start(RecordingIntake intake) {
        KafkaSettings settings =
                KafkaTestSettings.of(broker.bootstrapServers(), group, AutoOffsetReset.LATEST, Ordering.NONE, Map.of());
        RequestSource source =
                new KafkaTransport(KafkaConnections.ofSystem(settings, "node-" + sources.size())).source();
        sources.add(source);
        source.start(intake);
        return source;
    }

    private OffsetAndMetadata committed(int partition) throws ExecutionException, InterruptedException {
        return admin.listConsumerGroupOffsets(group)
                .partitionsToOffsetAndMetadata()
                .get()
                .get(new TopicPartition(topic, partition));
    }

    private void send(String what, int partition) {
        send(what, partition, 10);
    }

    private void send(String what, int partition, int count) {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", broker.bootstrapServers(), "linger.ms", 0),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            for (int i = 0; i < count; i++) {
                producer.send(new ProducerRecord<>(topic, partition, null, TestRecords.bytes(what + " " + i)));
            }
        }
    }
}
