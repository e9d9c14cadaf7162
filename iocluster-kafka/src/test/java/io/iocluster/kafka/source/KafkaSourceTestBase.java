package io.iocluster.kafka.source;

import io.iocluster.kafka.KafkaTestSettings;
import io.iocluster.kafka.KafkaTransport;
import io.iocluster.kafka.config.KafkaConnections;
import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.kafka.config.KafkaSettings.Ordering;
import io.iocluster.kafka.ledger.TestRecords;
import io.iocluster.testkit.contract.RecordingIntake;
import io.iocluster.testkit.junit.SharedBrokers;
import io.iocluster.testkit.kafka.KafkaBroker;
import io.iocluster.transport.Intake;
import io.iocluster.transport.RequestSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

/** Base class of tests of sources. The tests of a class share a broker; each test has its own topic. */
abstract class KafkaSourceTestBase {

    private static final AtomicInteger TESTS = new AtomicInteger();
    static KafkaBroker broker;
    static Admin admin;
    static KafkaProducer<byte[], byte[]> producer;

    final String name = "t" + TESTS.incrementAndGet();
    final TopicPartition partition = new TopicPartition(name + ".requests", 0);
    private int partitions;
    private final List<RequestSource> sources = new ArrayList<>();

    @BeforeAll
    static void emptyBroker() {
        broker = SharedBrokers.emptyKafka();
        admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()));
        producer = producer();
    }

    @AfterAll
    static void closeClients() {
        producer.close(Duration.ofSeconds(1));
        admin.close(Duration.ofSeconds(1));
    }

    @AfterEach
    void closeSources() {
        sources.forEach(source -> source.close(Duration.ofSeconds(5)));
    }

    RequestSource start(RecordingIntake intake, Ordering ordering) {
        return start(intake, settings(ordering));
    }

    KafkaSettings settings(Ordering ordering) {
        return KafkaTestSettings.of(broker.bootstrapServers(), name, ordering, Map.of());
    }

    RequestSource start(Intake intake, KafkaSettings settings) {
        RequestSource source =
                new KafkaTransport(KafkaConnections.ofSystem(settings, "node-" + sources.size())).source();
        sources.add(source);
        source.start(intake);
        return source;
    }

    void topics(int count, Map<String, String> configs) {
        partitions = count;
        broker.createTopic(partition.topic(), count, configs);
    }

    OffsetAndMetadata committed() throws ExecutionException, InterruptedException {
        return committed(0);
    }

    OffsetAndMetadata committed(int number) throws ExecutionException, InterruptedException {
        return admin.listConsumerGroupOffsets(name)
                .partitionsToOffsetAndMetadata()
                .get()
                .get(new TopicPartition(partition.topic(), number));
    }

    /** Sends the {@link #values} to a partition, with a producer that knows no earlier topic of this name. */
    void send(String what, int number, int count) {
        try (KafkaProducer<byte[], byte[]> producer = producer()) {
            for (String value : values(what, count)) {
                producer.send(new ProducerRecord<>(partition.topic(), number, null, TestRecords.bytes(value)));
            }
        }
    }

    /** Returns {@code what 0}, {@code what 1}, and so on. */
    static List<String> values(String what, int count) {
        return IntStream.range(0, count).mapToObj(i -> what + " " + i).toList();
    }

    void send(int from, int count) {
        try (KafkaProducer<byte[], byte[]> producer = producer()) {
            for (int i = from; i < from + count; i++) {
                producer.send(
                        new ProducerRecord<>(partition.topic(), i % partitions, null, TestRecords.bytes("value " + i)));
            }
        }
    }

    void send(String key, String value) throws Exception {
        byte[] keyBytes = key == null ? null : TestRecords.bytes(key);
        producer.send(new ProducerRecord<>(partition.topic(), keyBytes, TestRecords.bytes(value)))
                .get();
    }

    /** Sends the values {@code value 0}, {@code value 1}, and so on. */
    void sendKeyed(int count, IntFunction<String> key) {
        for (int i = 0; i < count; i++) {
            byte[] keyBytes = TestRecords.bytes(key.apply(i));
            producer.send(new ProducerRecord<>(partition.topic(), keyBytes, TestRecords.bytes("value " + i)));
        }
        producer.flush();
    }

    private static KafkaProducer<byte[], byte[]> producer() {
        return new KafkaProducer<>(
                Map.of("bootstrap.servers", broker.bootstrapServers(), "linger.ms", 0),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }
}
