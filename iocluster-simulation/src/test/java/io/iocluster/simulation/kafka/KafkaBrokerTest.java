package io.iocluster.simulation.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iocluster.testkit.simulation.SimulatedProcess;
import io.iocluster.testkit.simulation.Simulation;
import io.iocluster.testkit.simulation.Trace;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.NoOffsetForPartitionException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the rules of the simulated broker against the documented behaviour of Kafka. */
class KafkaBrokerTest {

    private static final TopicPartition P0 = new TopicPartition("in", 0);
    private static final Duration POLL = Duration.ofMillis(100);

    private final Simulation simulation = new Simulation(42, Trace.hashOnly());
    private final KafkaBroker broker = new KafkaBroker(simulation);
    private final SimulatedProcess process = new SimulatedProcess(simulation, "client");

    @BeforeEach
    void createTopic() {
        broker.createTopic("in", 4, Map.of());
        broker.setInitialRebalanceDelay(Duration.ZERO);
    }

    @Test
    void anIdempotentProducerKeepsTheOrderAndStoresEachRecordOnceIfAcknowledgementsAreLost() throws Exception {
        broker.setLoss(0.1, 0.4);
        Producer<byte[], byte[]> producer = producer(Map.of());

        List<Future<RecordMetadata>> sent = IntStream.range(0, 200)
                .mapToObj(number -> producer.send(new ProducerRecord<>("in", 0, null, bytes("m" + number))))
                .toList();
        producer.flush();

        for (Future<RecordMetadata> each : sent) {
            assertThat(each.get().partition()).isZero();
        }
        assertThat(texts("in"))
                .isEqualTo(
                        IntStream.range(0, 200).mapToObj(number -> "m" + number).toList());
    }

    @Test
    void withoutIdempotenceALostAcknowledgementStoresARecordTwice() {
        broker.setLoss(0, 0.5);
        Producer<byte[], byte[]> producer = producer(Map.of("enable.idempotence", false));

        IntStream.range(0, 50).forEach(number -> {
            producer.send(new ProducerRecord<>("in", 0, null, bytes("m" + number)));
            producer.flush();
        });

        assertThat(texts("in").size()).isGreaterThan(50);
    }

    @Test
    void aSendFailsAfterTheDeliveryTimeoutIfTheBrokerIsDown() {
        Producer<byte[], byte[]> producer = producer(Map.of("delivery.timeout.ms", 5_000));
        producer.partitionsFor("in");
        broker.stop();
        long start = simulation.millis();

        Future<RecordMetadata> sent = producer.send(new ProducerRecord<>("in", bytes("x")));
        producer.flush();

        assertThatThrownBy(sent::get).hasCauseInstanceOf(TimeoutException.class);
        assertThat(simulation.millis() - start).isBetween(5_000L, 5_200L);
    }

    @Test
    void aSendToAnUnknownTopicFailsAtOnceIfItMayNotBlock() {
        Producer<byte[], byte[]> producer = producer(Map.of("max.block.ms", 0));

        Future<RecordMetadata> sent = producer.send(new ProducerRecord<>("missing", bytes("x")));

        assertThat(sent.isDone()).isTrue();
        assertThatThrownBy(sent::get).hasCauseInstanceOf(TimeoutException.class);
    }

    @Test
    void onlyTheRecordThatIsTooLargeForTheTopicFails() throws Exception {
        broker.createTopic("small", 1, Map.of("max.message.bytes", "1000"));
        Producer<byte[], byte[]> producer = producer(Map.of());

        Future<RecordMetadata> large = producer.send(new ProducerRecord<>("small", new byte[2_000]));
        Future<RecordMetadata> next = producer.send(new ProducerRecord<>("small", bytes("x")));
        producer.flush();

        assertThatThrownBy(large::get)
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(RecordTooLargeException.class);
        assertThat(next.get().offset()).isZero();
    }

    @Test
    void aProducerWaitsForALeader() throws Exception {
        broker.moveLeader(P0, Duration.ofSeconds(3));
        Producer<byte[], byte[]> producer = producer(Map.of());

        Future<RecordMetadata> sent = producer.send(new ProducerRecord<>("in", 0, null, bytes("x")));
        producer.flush();

        assertThat(sent.get().offset()).isZero();
        assertThat(simulation.millis()).isGreaterThanOrEqualTo(3_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"eager", "cooperative", "consumer"})
    void aSecondMemberGetsHalfOfThePartitionsAndTheRestComesBackAfterItsDeath(String protocol) {
        Recorder first = new Recorder(process, protocol);
        first.pollUntil(() -> first.consumer.assignment().size() == 4);
        SimulatedProcess other = new SimulatedProcess(simulation, "other");
        Recorder second = new Recorder(other, protocol);

        pollBothUntil(
                first,
                second,
                () -> second.consumer.assignment().size() == 2
                        && first.consumer.assignment().size() == 2);
        other.kill();
        long killed = simulation.millis();
        first.pollUntil(() -> first.consumer.assignment().size() == 4);

        assertThat(simulation.millis() - killed).isGreaterThan(5_000);
        int revoked = first.events.stream()
                .filter(event -> event.startsWith("revoked"))
                .mapToInt(event -> Integer.parseInt(event.split(" ")[1]))
                .sum();
        assertThat(revoked).isEqualTo(protocol.equals("eager") ? 4 + 2 : 2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"cooperative", "consumer"})
    void anAddedPartitionIsAssigned(String protocol) {
        Recorder member = new Recorder(process, protocol);
        member.pollUntil(() -> member.consumer.assignment().size() == 4);

        broker.addPartitions("in", 6);

        member.pollUntil(() -> member.consumer.assignment().size() == 6);
    }

    @Test
    void aMemberThatDoesNotPollLosesItsPartitionsAndCannotCommit() {
        Recorder member = new Recorder(process, "cooperative");
        member.pollUntil(() -> member.consumer.assignment().size() == 4);

        simulation.run(Duration.ofSeconds(40));

        assertThatThrownBy(
                        () -> member.consumer.commitSync(Map.of(P0, new OffsetAndMetadata(1)), POLL.multipliedBy(50)))
                .isInstanceOf(CommitFailedException.class);
        assertThat(broker.committed("group", P0)).isEqualTo(-1);
        member.pollUntil(() ->
                member.events.contains("lost 4") && member.consumer.assignment().size() == 4);
    }

    @Test
    void aMemberContinuesAtTheCommittedOffset() {
        IntStream.range(0, 10).forEach(number -> broker.append(P0, null, bytes("m" + number)));
        Recorder member = new Recorder(process, "cooperative");
        member.pollUntil(() -> member.records.size() == 10);
        member.consumer.commitSync(Map.of(P0, new OffsetAndMetadata(7, "meta")), POLL.multipliedBy(50));
        member.consumer.close();

        Recorder next = new Recorder(process, "cooperative");
        next.pollUntil(() -> next.records.size() == 3);

        assertThat(next.records).containsExactly("m7", "m8", "m9");
        assertThat(next.consumer.committed(java.util.Set.of(P0)).get(P0).metadata())
                .isEqualTo("meta");
    }

    @Test
    void consumersSkipGapsAndAbortedRecordsAndWaitForOpenTransactions() {
        broker.append(P0, null, bytes("a"));
        broker.append(P0, null, bytes("compacted"));
        broker.compact(P0, 1);
        broker.beginTransaction(P0);
        broker.append(P0, null, bytes("aborted"));
        Consumer<byte[], byte[]> consumer =
                consumer(process, Map.of("isolation.level", "read_committed", "auto.offset.reset", "earliest"));
        consumer.assign(List.of(P0));

        assertThat(poll(consumer, 10)).containsExactly("a");
        broker.endTransaction(P0, false);
        broker.append(P0, null, bytes("b"));
        assertThat(poll(consumer, 10)).containsExactly("b");

        assertThat(consumer.position(P0)).isEqualTo(5);
    }

    @Test
    void aPositionBeforeTheLogFailsWithoutAResetPolicy() {
        IntStream.range(0, 10).forEach(number -> broker.append(P0, null, bytes("m" + number)));
        Consumer<byte[], byte[]> consumer = consumer(process, Map.of("auto.offset.reset", "none"));
        consumer.assign(List.of(P0));

        assertThatThrownBy(() -> poll(consumer, 10)).isInstanceOf(NoOffsetForPartitionException.class);
        consumer.seek(P0, 2);
        broker.deleteRecords(P0, 5);
        assertThatThrownBy(() -> poll(consumer, 10)).isInstanceOf(OffsetOutOfRangeException.class);
        consumer.seekToBeginning(List.of(P0));

        assertThat(poll(consumer, 10)).hasSize(5);
    }

    @Test
    void aConsumerReadsOnAfterARestartOfTheBroker() {
        Recorder member = new Recorder(process, "cooperative");
        member.pollUntil(() -> member.consumer.assignment().size() == 4);
        broker.stop();
        simulation.after(Duration.ofSeconds(3), broker::start);
        simulation.after(Duration.ofSeconds(4), () -> broker.append(P0, null, bytes("x")));

        member.pollUntil(() -> member.records.contains("x"));
    }

    @Test
    void anAdminClientDescribesWhatItCreates() throws Exception {
        Admin admin = broker.clients(process).openAdmin(Map.of());
        var created = admin.createTopics(List.of(new org.apache.kafka.clients.admin.NewTopic("new", 3, (short) 1)));
        process.await(created.all(), Duration.ofSeconds(5));
        var described = admin.describeTopics(List.of("new")).topicNameValues().get("new");
        process.await(described, Duration.ofSeconds(5));

        assertThat(described.get().partitions()).hasSize(3);
    }

    private Producer<byte[], byte[]> producer(Map<String, Object> properties) {
        return broker.clients(process).openProducer(properties);
    }

    private Consumer<byte[], byte[]> consumer(SimulatedProcess owner, Map<String, Object> properties) {
        return broker.clients(owner).openConsumer(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    private static List<String> poll(Consumer<byte[], byte[]> consumer, int times) {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                texts.add(new String(record.value(), StandardCharsets.UTF_8));
            }
        }
        return texts;
    }

    private void pollBothUntil(Recorder first, Recorder second, java.util.function.BooleanSupplier condition) {
        for (int i = 0; i < 1_000 && !condition.getAsBoolean(); i++) {
            first.poll();
            second.poll();
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }

    private List<String> texts(String topic) {
        return broker.values(topic).stream()
                .map(value -> new String(value, StandardCharsets.UTF_8))
                .toList();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** A member of the group and what it has seen. */
    private final class Recorder implements ConsumerRebalanceListener {

        private final Consumer<byte[], byte[]> consumer;
        private final List<String> events = new ArrayList<>();
        private final List<String> records = new ArrayList<>();

        Recorder(SimulatedProcess owner, String protocol) {
            Map<String, Object> properties = new HashMap<>(Map.of(
                    "group.id", "group",
                    "auto.offset.reset", "earliest",
                    "metadata.max.age.ms", 2_000,
                    "max.poll.interval.ms", 30_000,
                    "heartbeat.interval.ms", 500,
                    "session.timeout.ms", 6_000));
            properties.put("group.protocol", protocol.equals("consumer") ? "consumer" : "classic");
            if (protocol.equals("cooperative")) {
                properties.put("partition.assignment.strategy", "CooperativeStickyAssignor");
            }
            consumer = KafkaBrokerTest.this.consumer(owner, properties);
            consumer.subscribe(List.of("in"), this);
        }

        void poll() {
            records.addAll(KafkaBrokerTest.poll(consumer, 1));
        }

        void pollUntil(java.util.function.BooleanSupplier condition) {
            for (int i = 0; i < 1_000 && !condition.getAsBoolean(); i++) {
                poll();
            }
            assertThat(condition.getAsBoolean()).isTrue();
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            events.add("revoked " + partitions.size());
        }

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            events.add("assigned " + partitions.size());
        }

        @Override
        public void onPartitionsLost(Collection<TopicPartition> partitions) {
            events.add("lost " + partitions.size());
        }
    }
}
