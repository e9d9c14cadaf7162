package io.iocluster.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.kafka.client.KafkaAnswerConsumer;
import io.iocluster.kafka.config.KafkaConnections;
import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.kafka.config.KafkaSettings.Ordering;
import io.iocluster.kafka.config.KafkaTopicAdmin;
import io.iocluster.kafka.delay.DelayedRetryForwarder;
import io.iocluster.kafka.ledger.TestRecords;
import io.iocluster.testkit.contract.RecordingIntake;
import io.iocluster.testkit.junit.SharedBrokers;
import io.iocluster.testkit.kafka.KafkaBroker;
import io.iocluster.testkit.record.RecordCopy;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.PublishResult;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Partitions and topics that are created while clients run. A wait lasts a minute, which is less than the five minutes after
 * which the Kafka clients ask for partitions by default.
 */
class AddedPartitionsIT {

    private static final AtomicInteger TESTS = new AtomicInteger();
    private static KafkaBroker broker;
    private static Admin admin;
    private static KafkaProducer<byte[], byte[]> producer;

    private final String name = "added" + TESTS.incrementAndGet();
    private final String requests = name + ".requests";
    private final RecordingIntake intake = RecordingIntake.acknowledging();
    private final List<AutoCloseable> open = new ArrayList<>();

    @BeforeAll
    static void emptyBroker() {
        broker = SharedBrokers.emptyKafka();
        admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()));
        producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", broker.bootstrapServers(), "linger.ms", 0, "metadata.max.age.ms", 200),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    @AfterAll
    static void closeClients() {
        producer.close(Duration.ofSeconds(1));
        admin.close(Duration.ofSeconds(1));
    }

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "consumer"})
    void ofARequestTopicAreRead(String protocol) throws Exception {
        broker.createTopic(requests, 2, Map.of());
        start(settings(protocol));
        awaitReadFrom(requests, 0, 1);

        addPartitions(requests, 4);

        awaitReadFrom(requests, 2, 3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "consumer"})
    void ofATopicThatIsCreatedLaterAreRead(String protocol) throws Exception {
        KafkaSettings settings = withoutTopicCreation(settings(protocol));
        KafkaTransport transport = start(settings);
        await().until(() ->
                String.valueOf(transport.source().status().problem()).contains("Not all consumed topics"));

        broker.createTopic(requests, 2, Map.of());

        awaitReadFrom(requests, 0, 1);
    }

    @Test
    void areReadByAShareGroup() throws Exception {
        broker.createTopic(requests, 2, Map.of());
        start(KafkaTestSettings.withShareGroup(
                KafkaTestSettings.of(broker.bootstrapServers(), name, Ordering.NONE, Map.of()), 2));
        awaitReadFrom(requests, 0, 1);

        addPartitions(requests, 4);

        awaitReadFrom(requests, 2, 3);
    }

    @Test
    void ofAReplyTopicGetAnswers() throws Exception {
        String replies = name + ".reply-grown";
        broker.createTopic(replies, 1, Map.of());
        broker.createTopic(requests, 1, Map.of());
        KafkaTransport transport = start(settings("classic"));
        // The key selects the partition, because answers without a key stay on one until a batch is full.
        List<Delivery> keyed = awaitRequestsWithKeys(20);
        answerAll(transport, keyed, replies);

        addPartitions(replies, 4);

        await().untilAsserted(() -> {
            answerAll(transport, keyed, replies);
            assertThat(partitionsOf(broker.readAll(replies))).contains(0, 1, 2, 3);
        });
    }

    @Test
    void ofADelayTopicAreForwarded() throws Exception {
        Duration delay = Duration.ofMillis(100);
        KafkaSettings settings = KafkaTestSettings.withDelayedRetries(settings("classic"), delay);
        KafkaConnections connections = KafkaConnections.ofSystem(settings, name);
        KafkaTopicAdmin topics = new KafkaTopicAdmin(connections);
        topics.createMissing("test");
        List<String> seen = new CopyOnWriteArrayList<>();
        DelayedRetryForwarder forwarder = new DelayedRetryForwarder(
                connections,
                topics,
                message -> {
                    seen.add(new String(message.value(), StandardCharsets.UTF_8));
                    return CompletableFuture.completedFuture(PublishResult.CONFIRMED);
                },
                (message, reason) -> CompletableFuture.completedFuture(PublishResult.CONFIRMED));
        open.add(() -> forwarder.close(Duration.ofSeconds(5)));
        forwarder.start();
        String delays = settings.delayedTopics().delayTopic(delay);
        send(delays, 0, "first");
        await().until(() -> seen.contains("first"));

        addPartitions(delays, 2);
        send(delays, 1, "added");

        await().until(() -> seen.contains("added"));
    }

    @Test
    void ofAnAnswerTopicAreReadByAClient() throws Exception {
        KafkaSettings settings = settings("classic");
        String answers = settings.answers().topic();
        broker.createTopic(answers, 1, Map.of());
        KafkaAnswerConsumer consumer = new KafkaAnswerConsumer(KafkaConnections.ofSystem(settings, name), true);
        open.add(consumer);

        addPartitions(answers, 2);
        send(answers, 1, "added");

        await().until(() -> !consumer.poll(Duration.ofMillis(100)).isEmpty());
    }

    private KafkaSettings settings(String protocol) {
        return KafkaTestSettings.of(broker.bootstrapServers(), name, Ordering.NONE, Map.of("group.protocol", protocol));
    }

    private static KafkaSettings withoutTopicCreation(KafkaSettings settings) {
        return RecordCopy.with(settings, "createTopics", KafkaSettings.TopicCreation.DEFAULTS);
    }

    private KafkaTransport start(KafkaSettings settings) {
        KafkaTransport transport = new KafkaTransport(KafkaConnections.ofSystem(settings, name));
        open.add(() -> transport.source().close(Duration.ofSeconds(5)));
        open.add(transport.sink());
        transport.sink().start();
        transport.source().start(intake);
        return transport;
    }

    private List<Delivery> awaitRequestsWithKeys(int count) throws Exception {
        for (int i = 0; i < count; i++) {
            byte[] key = TestRecords.bytes("key " + i);
            producer.send(new ProducerRecord<>(requests, key, TestRecords.bytes("{}")))
                    .get();
        }
        await().until(() -> intake.accepted.size() == count);
        return List.copyOf(intake.accepted);
    }

    private static void answerAll(KafkaTransport transport, List<Delivery> answered, String topic) {
        assertThat(answered)
                .extracting(request -> transport.sink().publish(request, TestRecords.bytes("answer"), topic))
                .allSatisfy(sent -> assertThat(sent.toCompletableFuture()
                                .orTimeout(1, TimeUnit.MINUTES)
                                .join())
                        .isEqualTo(PublishResult.CONFIRMED));
    }

    private static Set<Integer> partitionsOf(List<ConsumerRecord<byte[], byte[]>> records) {
        Set<Integer> partitions = new HashSet<>();
        records.forEach(message -> partitions.add(message.partition()));
        return partitions;
    }

    private static void addPartitions(String topic, int total) throws Exception {
        admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(total)))
                .all()
                .get();
    }

    private static void send(String topic, int partition, String value) throws Exception {
        await().ignoreExceptions().until(() -> {
            producer.send(new ProducerRecord<>(topic, partition, null, TestRecords.bytes(value)))
                    .get();
            return true;
        });
    }

    /** Sends a message to each partition and waits until all are read. */
    private void awaitReadFrom(String topic, int... partitions) throws Exception {
        int before = intake.accepted.size();
        List<String> sent = new ArrayList<>();
        for (int partition : partitions) {
            String value = "message " + before + " of partition " + partition;
            sent.add(value);
            send(topic, partition, value);
        }
        await().untilAsserted(() -> assertThat(intake.acceptedPayloads()).containsAll(sent));
    }
}
