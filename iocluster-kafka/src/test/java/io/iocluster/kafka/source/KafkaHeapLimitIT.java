package io.iocluster.kafka.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.iocluster.kafka.KafkaTestSettings;
import io.iocluster.kafka.config.KafkaConnections;
import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.kafka.config.KafkaSettings.Ordering;
import io.iocluster.kafka.config.KafkaTopicAdmin;
import io.iocluster.kafka.config.KafkaTopicAdmin.ResponseLimit;
import io.iocluster.kafka.ledger.TestRecords;
import io.iocluster.settings.DataSize;
import io.iocluster.testkit.contract.RecordingIntake;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.RequestSource;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** Heap limits for compressed records. */
class KafkaHeapLimitIT extends KafkaSourceTestBase {

    private static final int RECORD = 300_000;

    private final RecordingIntake intake = RecordingIntake.acknowledging();

    @Test
    void staysWithinTheBufferWhenABatchExpands() throws Exception {
        topics(1, Map.of());
        sendCompressed(60, RECORD);
        RequestSource source = startFull();

        assertStaysWithinBuffer(source);
        intake.limit = Integer.MAX_VALUE;
        source.capacityAvailable();
        await().until(() -> intake.accepted.size() == 60);
        assertThat(intake.accepted)
                .extracting(delivery -> delivery.payload().length)
                .containsOnly(RECORD);
        await().until(() -> committed() != null && committed().offset() == 60);
    }

    @Test
    void staysWithinTheBufferWhenKeysExpandAndValuesAreNull() throws Exception {
        topics(1, Map.of());
        byte[] key = zeros(RECORD);
        sendCompressed(60, () -> new ProducerRecord<>(partition.topic(), 0, key, null));

        RequestSource source = startFull();

        assertStaysWithinBuffer(source);
        intake.limit = Integer.MAX_VALUE;
        source.capacityAvailable();
        await().until(() -> committed() != null && committed().offset() == 60);
        assertThat(intake.accepted).hasSize(60);
    }

    @Test
    void staysWithinTheBufferWhenHeadersExpand() throws Exception {
        topics(1, Map.of());
        byte[] header = zeros(RECORD);
        sendCompressed(60, () -> {
            ProducerRecord<byte[], byte[]> message =
                    new ProducerRecord<>(partition.topic(), TestRecords.bytes("value"));
            message.headers().add("large", header);
            return message;
        });

        RequestSource source = startFull();

        assertStaysWithinBuffer(source);
        intake.limit = Integer.MAX_VALUE;
        source.capacityAvailable();
        await().until(() -> committed() != null && committed().offset() == 60);
        assertThat(intake.accepted).hasSize(60);
        assertThat(intake.accepted)
                .allSatisfy(delivery -> assertThat(delivery.header("large")).hasSize(RECORD));
    }

    @Test
    void onePollReturnsFewRecordsWithNeitherAKeyNorAValue() throws Exception {
        topics(1, Map.of());
        sendCompressed(200, () -> headersOnly(RECORD));

        RequestSource source = startFull();

        await().until(() -> source.status().buffered() > 0);
        await().during(Duration.ofMillis(500))
                .untilAsserted(() -> assertThat(source.status().buffered()).isLessThanOrEqualTo(128));
        intake.limit = Integer.MAX_VALUE;
        source.capacityAvailable();
        await().until(() -> committed() != null && committed().offset() == 200);
        assertThat(intake.accepted).hasSize(200);
    }

    @Test
    void dropsTooLargeHeadersOfARecordWithoutKeyAndValue() throws Exception {
        topics(1, Map.of());
        sendCompressed(1, () -> headersOnly(2 << 20));

        start(intake, bounded(DataSize.ofMebibytes(16)));

        await().until(() -> intake.accepted.size() == 1);
        Delivery large = intake.accepted.get(0);
        assertThat(large.problem()).contains("headers", "kafka.requests.max-message-size", partition.topic() + "/0/0");
        assertThat(large.header("large")).isNull();
        assertThat(large.heldBytes()).isLessThan(2_000);
    }

    @Test
    void offersARecordWithoutItsHeadersWhenTheyExceedTheLimit() throws Exception {
        topics(1, Map.of());
        byte[] header = zeros(2 << 20);
        sendCompressed(1, () -> {
            ProducerRecord<byte[], byte[]> message =
                    new ProducerRecord<>(partition.topic(), TestRecords.bytes("key"), TestRecords.bytes("value"));
            message.headers().add("large", header);
            return message;
        });
        send(0, 3);

        start(intake, bounded(DataSize.ofMebibytes(16)));

        await().until(() -> intake.accepted.size() == 4);
        Delivery large = intake.accepted.get(0);
        assertThat(large.problem()).contains("headers", "kafka.requests.max-message-size", partition.topic() + "/0/0");
        assertThat(large.header("large")).isNull();
        assertThat(intake.accepted.subList(1, 4)).extracting(Delivery::problem).containsOnlyNulls();
        await().until(() -> committed() != null && committed().offset() == 4);
    }

    @Test
    void offersARecordWithoutItsValueWhenItExceedsTheLimit() throws Exception {
        topics(1, Map.of());
        sendCompressed(1, 2 << 20);
        send(0, 3);

        start(intake, bounded(DataSize.ofMebibytes(16)));

        await().until(() -> intake.accepted.size() == 4);
        Delivery large = intake.accepted.get(0);
        assertThat(large.problem())
                .contains("2097152 bytes", "kafka.requests.max-message-size", partition.topic() + "/0/0");
        assertThat(large.payload()).isEmpty();
        assertThat(intake.accepted.subList(1, 4)).extracting(Delivery::problem).containsOnlyNulls();
        await().until(() -> committed() != null && committed().offset() == 4);
    }

    @Test
    void aCreatedTopicRefusesRecordsThatExpandBeyondItsLimit() {
        KafkaSettings settings = settings(Ordering.NONE);
        new KafkaTopicAdmin(KafkaConnections.ofSystem(settings, "node-1")).createMissing("test");

        assertThatThrownBy(() -> sendCompressed(1, 2 << 20)).hasRootCauseInstanceOf(RecordTooLargeException.class);
    }

    @Test
    void theCheckWarnsOfRequestTopicsThatAcceptCompressedRecords() {
        KafkaSettings settings = settings(Ordering.NONE);
        topics(1, Map.of());

        List<KafkaTopicAdmin.TopicReport> reports = new KafkaTopicAdmin(KafkaConnections.ofSystem(settings, "node-1"))
                .check(Duration.ofSeconds(20), ResponseLimit.NONE);

        assertThat(reports.get(0).problem()).isNull();
        assertThat(reports.get(0).warning())
                .contains("kafka-configs.sh --alter --topic " + partition.topic())
                .contains("compression.type=uncompressed");
    }

    private KafkaSettings bounded(DataSize bufferBytes) {
        return KafkaTestSettings.withLimits(settings(Ordering.NONE), bufferBytes, DataSize.ofMebibytes(1));
    }

    /** Starts a source with a buffer of 1 MiB and an intake that is full. */
    private RequestSource startFull() {
        intake.limit = 0;
        return start(intake, bounded(DataSize.ofMebibytes(1)));
    }

    private static void assertStaysWithinBuffer(RequestSource source) {
        await().until(() -> source.status().buffered() > 0);
        await().during(Duration.ofMillis(500))
                .untilAsserted(
                        () -> assertThat(source.status().buffered()).isLessThanOrEqualTo((1 << 20) / RECORD + 1));
    }

    private ProducerRecord<byte[], byte[]> headersOnly(int size) {
        ProducerRecord<byte[], byte[]> message = new ProducerRecord<>(partition.topic(), 0, null, null);
        message.headers().add("large", zeros(size));
        return message;
    }

    private void sendCompressed(int count, int size) throws Exception {
        byte[] value = zeros(size);
        sendCompressed(count, () -> new ProducerRecord<>(partition.topic(), value));
    }

    private static byte[] zeros(int size) {
        return "0".repeat(size).getBytes(StandardCharsets.US_ASCII);
    }

    /** Sends compressed records in as few batches as possible. */
    private void sendCompressed(int count, Supplier<ProducerRecord<byte[], byte[]>> message) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers",
                        broker.bootstrapServers(),
                        "compression.type",
                        "gzip",
                        "linger.ms",
                        500,
                        "batch.size",
                        16 << 20,
                        "max.request.size",
                        64 << 20,
                        "buffer.memory",
                        64 << 20),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            var last = producer.send(message.get());
            for (int i = 1; i < count; i++) {
                last = producer.send(message.get());
            }
            producer.flush();
            last.get();
        }
    }
}
