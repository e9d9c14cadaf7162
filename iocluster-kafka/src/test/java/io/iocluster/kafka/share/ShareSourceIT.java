package io.iocluster.kafka.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.kafka.GroupConfig;
import io.iocluster.kafka.KafkaTestSettings;
import io.iocluster.kafka.KafkaTransport;
import io.iocluster.kafka.config.KafkaConnections;
import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.kafka.config.KafkaSettings.Ordering;
import io.iocluster.kafka.config.ShareGroupAdmin;
import io.iocluster.kafka.ledger.TestRecords;
import io.iocluster.testkit.contract.RecordingIntake;
import io.iocluster.testkit.junit.SharedBrokers;
import io.iocluster.testkit.kafka.KafkaBroker;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.Intake;
import io.iocluster.transport.RequestSource;
import io.iocluster.transport.SourceStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Share groups with short locks on a real broker. */
class ShareSourceIT {

    /** Longer than a busy machine pauses a consumer, which renews its locks in time. */
    private static final Duration LOCK = Duration.ofSeconds(6);

    private static final AtomicInteger TESTS = new AtomicInteger();
    private static KafkaBroker broker;
    private static Admin admin;
    private static KafkaProducer<byte[], byte[]> producer;

    private final String name = "share-source-" + TESTS.incrementAndGet();
    private final String topic = name + ".requests";
    private final List<RequestSource> sources = new ArrayList<>();
    private final List<AutoCloseable> others = new ArrayList<>();
    private int partitions;

    @BeforeAll
    static void emptyBroker() {
        broker = SharedBrokers.emptyKafka();
        admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()));
        producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", broker.bootstrapServers(), "linger.ms", 0),
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
        sources.parallelStream().forEach(source -> source.close(Duration.ofSeconds(5)));
        for (AutoCloseable other : others) {
            other.close();
        }
    }

    @Test
    void eightNodesShareTwoPartitionsEvenly() {
        createTopic(2);
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
        others.add(timer::shutdownNow);
        List<Node> nodes = IntStream.range(0, 8).mapToObj(i -> new Node(timer)).toList();
        KafkaSettings settings = settings(Map.of("max.poll.records", "10"));
        nodes.forEach(node -> node.source = start(node, settings));
        awaitMembers(8 * settings.requests().shareConsumers());
        // A member learns of its partitions with a heartbeat, so wait until each node reads.
        await().until(() -> {
            send(0, 100);
            return nodes.stream().allMatch(node -> node.done.get() > 0);
        });
        await().until(() -> lag(nodes.get(0).source) == 0);
        nodes.forEach(node -> node.done.set(0));

        send(0, 4_000);

        await().atMost(Duration.ofSeconds(60))
                .until(() -> nodes.stream().mapToInt(node -> node.done.get()).sum() >= 4_000);
        assertThat(nodes)
                .extracting(node -> node.done.get())
                .allSatisfy(done -> assertThat(done).isBetween(450, 550));
    }

    @Test
    void messagesOfAConsumerThatHangsAreDeliveredToAnotherOne() {
        createTopic(2);
        RecordingIntake before = RecordingIntake.acknowledging();
        RequestSource first = start(before, settings(Map.of()));
        awaitMembers(1);
        send(0, 1);
        await().until(() -> before.accepted.size() == 1);
        first.close(Duration.ofSeconds(5));
        send(1, 40);
        KafkaShareConsumer<byte[], byte[]> hanging = join();
        Set<String> held = values(poll(hanging));

        RecordingIntake intake = RecordingIntake.acknowledging();
        start(intake, settings(Map.of()));

        await().untilAsserted(() -> assertThat(intake.acceptedPayloads())
                .containsAll(IntStream.range(1, 41).mapToObj(i -> "value " + i).toList()));
        assertThat(held).isNotEmpty();
        assertThat(intake.accepted.stream().filter(Delivery::isRedelivered).map(RecordingIntake::text))
                .containsAll(held);
    }

    @Test
    void renewsTheLockOfACallThatIsLongerThanTheLock() {
        createTopic(1);
        RecordingIntake intake = new RecordingIntake(delivery -> {});
        start(intake, settings(Map.of()));
        RequestSource other = start(intake, settings(Map.of()));
        send(0, 1);
        await().until(() -> intake.accepted.size() == 1);

        await().during(LOCK.multipliedBy(3).dividedBy(2)).until(() -> intake.accepted.size() == 1);

        intake.accepted.get(0).settlement().acknowledge();
        await().until(() -> lag(other) == 0);
        assertThat(intake.accepted).hasSize(1);
        assertThat(other.status().failedAcknowledgements()).isZero();
    }

    @Test
    void isHealthyAgainAfterAnErrorOfTheIntake() {
        createTopic(1);
        AtomicInteger offers = new AtomicInteger();
        Intake failingOnce = delivery -> {
            if (offers.incrementAndGet() == 1) {
                throw new AssertionError("first offer");
            }
            delivery.settlement().acknowledge();
            return true;
        };
        RequestSource source = start(failingOnce, settings(Map.of()));
        send(0, 1);

        await().until(() -> offers.get() > 1 && lag(source) == 0);

        await().until(() -> source.status().problem() == null);
    }

    @Test
    void offersAMessageThatWasDeliveredTooOftenAsADeadLetter() {
        createTopic(1);
        prepareGroup();
        send(0, 1);
        KafkaShareConsumer<byte[], byte[]> failing = join();
        for (int delivery = 1; delivery <= 3; delivery++) {
            poll(failing).forEach(message -> failing.acknowledge(message, AcknowledgeType.RELEASE));
            failing.commitSync();
        }
        failing.close();

        RecordingIntake intake = RecordingIntake.acknowledging();
        RequestSource source = start(intake, settings(Map.of()));

        await().until(() -> intake.accepted.size() == 1);
        assertThat(intake.accepted.get(0).isDeliveryLimitReached()).isTrue();
        assertThat(intake.accepted.get(0).problem()).contains("delivered 4 times");
        await().until(() -> lag(source) == 0);
    }

    @Test
    void aPausedNodeLeavesItsMessagesToOthers() {
        createTopic(1);
        RecordingIntake full = new RecordingIntake(delivery -> {});
        full.limit = 5;
        RequestSource first = start(full, settings(Map.of()));
        send(0, 20);
        await().until(() -> full.accepted.size() == 5);

        first.pause();
        RecordingIntake rest = RecordingIntake.acknowledging();
        start(rest, settings(Map.of()));

        await().until(() -> rest.accepted.size() == 15);
        full.accepted.forEach(delivery -> delivery.settlement().acknowledge());
        await().until(() -> lag(first) == 0);
        assertThat(rest.accepted).hasSize(15);
    }

    @Test
    void aNewGroupStartsAtTheBeginningAndSkipsAbortedTransactions() throws Exception {
        createTopic(1);

        prepareGroup();

        ConfigResource group = new ConfigResource(ConfigResource.Type.GROUP, name);
        var config = admin.describeConfigs(List.of(group)).all().get().get(group);
        assertThat(config.get("share.auto.offset.reset").value()).isEqualTo("earliest");
        assertThat(config.get("share.isolation.level").value()).isEqualTo("read_committed");
        assertThat(config.get("share.renew.acknowledge.enable").value()).isEqualTo("true");
        ShareGroupAdmin.ShareGroupReport report =
                new ShareGroupAdmin(KafkaConnections.ofSystem(settings(Map.of()), "check")).check();
        assertThat(report.problem()).isNull();
        assertThat(report.description()).contains("locks of 6s", "at most 5 deliveries");
    }

    @Test
    void reportsThatTheGroupIsAConsumerGroup() {
        createTopic(1);
        Map<String, Object> member = new HashMap<>(
                Map.of("bootstrap.servers", broker.bootstrapServers(), "group.id", name, "group.protocol", "consumer"));
        KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(member, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        others.add(consumer);
        consumer.subscribe(List.of(topic));
        await().until(() -> {
            consumer.poll(Duration.ofMillis(100));
            return !consumer.assignment().isEmpty();
        });

        RequestSource source = start(RecordingIntake.acknowledging(), settings(Map.of()));

        await().until(() -> String.valueOf(source.status().problem()).contains("is a consumer group"));
        assertThat(new ShareGroupAdmin(KafkaConnections.ofSystem(settings(Map.of()), "check"))
                        .check()
                        .problem())
                .contains("kafka.requests.group", name);
    }

    /** A node with ten slots, whose calls take 100 ms. */
    private static final class Node implements Intake {

        private final ScheduledExecutorService timer;
        private final AtomicInteger inFlight = new AtomicInteger();
        private final AtomicInteger done = new AtomicInteger();
        private volatile RequestSource source;

        Node(ScheduledExecutorService timer) {
            this.timer = timer;
        }

        @Override
        public boolean offer(Delivery delivery) {
            if (inFlight.get() >= 10) {
                return false;
            }
            inFlight.incrementAndGet();
            timer.schedule(() -> end(delivery), 100, TimeUnit.MILLISECONDS);
            return true;
        }

        private void end(Delivery delivery) {
            done.incrementAndGet();
            inFlight.decrementAndGet();
            delivery.settlement().acknowledge();
            source.capacityAvailable();
        }
    }

    private KafkaSettings settings(Map<String, String> properties) {
        return KafkaTestSettings.withShareGroup(
                KafkaTestSettings.of(broker.bootstrapServers(), name, Ordering.NONE, properties), 2);
    }

    private RequestSource start(Intake intake, KafkaSettings settings) {
        RequestSource source =
                new KafkaTransport(KafkaConnections.ofSystem(settings, "node-" + sources.size())).source();
        sources.add(source);
        source.start(intake);
        return source;
    }

    private void prepareGroup() {
        new ShareGroupAdmin(KafkaConnections.ofSystem(settings(Map.of()), "prepare")).prepare();
    }

    private KafkaShareConsumer<byte[], byte[]> join() {
        KafkaShareConsumer<byte[], byte[]> consumer = new KafkaShareConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        broker.bootstrapServers(),
                        "group.id",
                        name,
                        "share.acknowledgement.mode",
                        "explicit"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        others.add(consumer);
        consumer.subscribe(List.of(topic));
        return consumer;
    }

    private static ConsumerRecords<byte[], byte[]> poll(KafkaShareConsumer<byte[], byte[]> consumer) {
        return await().until(() -> consumer.poll(Duration.ofMillis(100)), records -> !records.isEmpty());
    }

    private static Set<String> values(ConsumerRecords<byte[], byte[]> records) {
        Set<String> values = new HashSet<>();
        records.forEach(message -> values.add(new String(message.value(), java.nio.charset.StandardCharsets.UTF_8)));
        return values;
    }

    /** Creates the topic, and shortens the locks of the group. */
    private void createTopic(int count) {
        partitions = count;
        broker.createTopic(topic, count, Map.of());
        GroupConfig.set(admin, name, "share.record.lock.duration.ms", LOCK);
    }

    /** Sends the same number of messages to each partition. */
    private void send(int from, int count) {
        for (int i = from; i < from + count; i++) {
            producer.send(new ProducerRecord<>(topic, i % partitions, null, TestRecords.bytes("value " + i)));
        }
        producer.flush();
    }

    private static long lag(RequestSource source) {
        SourceStatus status = source.status();
        return status.lags().isEmpty() ? -1 : status.messages();
    }

    private void awaitMembers(int count) {
        await().ignoreExceptions()
                .until(() ->
                        admin.describeShareGroups(List.of(name)).describedGroups().get(name).get().members().stream()
                                        .filter(member -> !member.assignment()
                                                .topicPartitions()
                                                .isEmpty())
                                        .count()
                                >= count);
    }
}
