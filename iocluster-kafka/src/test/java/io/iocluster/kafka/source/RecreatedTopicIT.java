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
import io.iocluster.transport.Delivery;
import io.iocluster.transport.RequestSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A topic that is deleted and created again is another topic. */
class RecreatedTopicIT {

    private static final AtomicInteger TESTS = new AtomicInteger();
    private static KafkaBroker broker;
    private static Admin admin;

    private final List<RequestSource> sources = new ArrayList<>();
    private final List<Delivery> held = new CopyOnWriteArrayList<>();
    private final RecordingIntake intake = holdingSeven();
    private String group;
    private TopicPartition partition;

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
        group = "recreated-" + TESTS.incrementAndGet();
        partition = new TopicPartition(group + ".requests", 0);
    }

    @AfterEach
    void closeSources() {
        sources.forEach(source -> source.close(Duration.ofSeconds(5)));
    }

    @Test
    void isReadFromItsBeginningAfterARestart() throws Exception {
        RequestSource source = readOldTopic("classic");
        source.close(Duration.ofMinutes(1));

        recreate();
        send("new", 60);
        RecordingIntake second = holdingSeven();
        start(second, AutoOffsetReset.EARLIEST, "classic");

        awaitAllNew(second);
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "consumer"})
    void isReadFromItsBeginningByARunningSource(String protocol) throws Exception {
        readOldTopic(protocol);

        recreate();
        send("new", 60);

        awaitAllNew(intake);
        // Settlements of records of the old topic must not change the new one.
        held.forEach(delivery -> delivery.settlement().acknowledge());
        await().until(() -> committed() != null && committed().offset() == 60);
    }

    @Test
    void isReadFromItsBeginningByAGroupThatStartedAtTheEnd() throws Exception {
        createTopic();
        send("older", 10);
        start(intake, AutoOffsetReset.LATEST, "classic");
        await().until(() -> committed() != null && committed().offset() == 10);
        send("old", 5);
        await().until(() -> intake.accepted.size() == 5);

        recreate();
        send("new", 60);

        awaitAllNew(intake);
    }

    @Test
    void ignoresAnOldOffsetThatIsCommittedAfterItsCreation() throws Exception {
        RequestSource source = readOldTopic("classic");
        OffsetAndMetadata old = committed();
        source.close(Duration.ofMinutes(1));

        recreate();
        admin.alterConsumerGroupOffsets(group, Map.of(partition, old)).all().get();
        send("new", 60);
        RecordingIntake second = holdingSeven();
        start(second, AutoOffsetReset.EARLIEST, "classic");

        awaitAllNew(second);
    }

    private RequestSource readOldTopic(String protocol) throws Exception {
        createTopic();
        send("old", 50);
        RequestSource source = start(intake, AutoOffsetReset.EARLIEST, protocol);
        await().until(() -> intake.accepted.size() == 50);
        await().until(() -> committed() != null && committed().offset() == 7);
        return source;
    }

    private static void awaitAllNew(RecordingIntake intake) {
        await().untilAsserted(() -> assertThat(intake.acceptedPayloads()).containsAll(values("new", 60)));
    }

    private RecordingIntake holdingSeven() {
        return new RecordingIntake(delivery -> {
            if (RecordingIntake.text(delivery).equals("old 7")) {
                held.add(delivery);
            } else {
                delivery.settlement().acknowledge();
            }
        });
    }

    private RequestSource start(RecordingIntake to, AutoOffsetReset start, String protocol) {
        KafkaSettings settings = KafkaTestSettings.of(
                broker.bootstrapServers(), group, start, Ordering.NONE, Map.of("group.protocol", protocol));
        RequestSource source =
                new KafkaTransport(KafkaConnections.ofSystem(settings, "node-" + sources.size())).source();
        sources.add(source);
        source.start(to);
        return source;
    }

    private void createTopic() {
        broker.createTopic(partition.topic(), 1, Map.of());
    }

    private void recreate() throws Exception {
        admin.deleteTopics(List.of(partition.topic())).all().get();
        await().ignoreExceptions().until(() -> {
            createTopic();
            return true;
        });
    }

    private OffsetAndMetadata committed() throws ExecutionException, InterruptedException {
        return admin.listConsumerGroupOffsets(group)
                .partitionsToOffsetAndMetadata()
                .get()
                .get(partition);
    }

    private void send(String what, int count) {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", broker.bootstrapServers(), "linger.ms", 0),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            for (String value : values(what, count)) {
                producer.send(new ProducerRecord<>(partition.topic(), 0, null, TestRecords.bytes(value)));
            }
        }
    }

    private static List<String> values(String what, int count) {
        return IntStream.range(0, count).mapToObj(i -> what + " " + i).toList();
    }
}
