package io.iocluster.kafka.requirement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.kafka.KafkaTestSettings;
import io.iocluster.kafka.KafkaTransport;
import io.iocluster.kafka.client.KafkaRequestPublisher;
import io.iocluster.kafka.config.KafkaConnections;
import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.kafka.config.KafkaSettings.AutoOffsetReset;
import io.iocluster.kafka.config.KafkaSettings.Ordering;
import io.iocluster.kafka.ledger.KafkaDelivery;
import io.iocluster.kafka.ledger.TestRecords;
import io.iocluster.testkit.contract.RecordingIntake;
import io.iocluster.testkit.junit.CapturedLog;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.PublishResult;
import io.iocluster.transport.RequestSource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.FeatureUpdate;
import org.apache.kafka.clients.admin.FeatureUpdate.UpgradeType;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.UpdateFeaturesOptions;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.GroupType;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Tests on the broker of {@link KafkaLoginIT}, which accepts little commit metadata and refuses the consumer protocol, as a broker before 4.0
 * does.
 */
abstract class LimitedBroker {

    private static final AtomicInteger TESTS = new AtomicInteger();
    private static Admin admin;

    private final String group = "limited-" + TESTS.incrementAndGet();
    private final TopicPartition partition = new TopicPartition(group + ".requests", 0);

    @BeforeAll
    static void connect() {
        admin = Admin.create(Map.of("bootstrap.servers", KafkaLoginIT.broker.bootstrapServers()));
    }

    @AfterAll
    static void disconnect() {
        admin.close(Duration.ofSeconds(1));
    }

    @Test
    void truncatesMetadataIfItsLimitIsSmall() throws Exception {
        KafkaLoginIT.broker.createTopic(partition.topic(), 1, Map.of());
        Random random = new Random(1);
        List<Delivery> held = new CopyOnWriteArrayList<>();
        // Gaps of many lengths make metadata of more than 256 characters.
        RecordingIntake intake = new RecordingIntake(delivery -> {
            if (random.nextBoolean()) {
                held.add(delivery);
            } else {
                delivery.settlement().acknowledge();
            }
        });
        RequestSource source = start(intake);
        await().until(() -> committed() != null);
        send(3_000);
        await().until(() -> intake.accepted.size() == 3_000);

        // The watermark can move over the first half; the metadata of the second half is still too long.
        held.stream()
                .filter(delivery -> offset(delivery) < 1_500)
                .forEach(delivery -> delivery.settlement().acknowledge());
        source.close(Duration.ofMinutes(1));
        RecordingIntake again = RecordingIntake.acknowledging();
        try (RequestSource second = start(again)) {
            await().until(() -> committed() != null && committed().offset() == 3_000);
        }
        // If the broker refused the commits, the node would read at least 2,200 records again, because 256 characters
        // of commit metadata describe at most 1,536 records.
        assertThat(again.accepted)
                .hasSizeLessThan(1_500)
                .allSatisfy(delivery -> assertThat(offset(delivery)).isGreaterThanOrEqualTo(1_500));
        assertThat(source.status().truncatedCommitMetadata()).isPositive();
    }

    private static long offset(Delivery delivery) {
        return ((KafkaDelivery) delivery).offset();
    }

    private RequestSource start(RecordingIntake intake) {
        KafkaSettings settings = KafkaTestSettings.of(
                KafkaLoginIT.broker.bootstrapServers(), group, AutoOffsetReset.LATEST, Ordering.NONE, Map.of());
        RequestSource source = new KafkaTransport(KafkaConnections.ofSystem(settings, "node-1")).source();
        source.start(intake);
        return source;
    }

    private OffsetAndMetadata committed() throws ExecutionException, InterruptedException {
        return admin.listConsumerGroupOffsets(group)
                .partitionsToOffsetAndMetadata()
                .get()
                .get(partition);
    }

    private void send(int count) {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", KafkaLoginIT.broker.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            for (int i = 0; i < count; i++) {
                producer.send(new ProducerRecord<>(partition.topic(), TestRecords.bytes("value " + i)));
            }
        }
    }

    @Test
    void usesTheClassicProtocolAfterTheRefusalOfTheConsumerProtocol() throws Exception {
        readsAsAClassicGroup();
    }

    @Test
    void usesTheClassicProtocolWithoutAnErrorIfTheBrokerSupportsNoOther() throws Exception {
        short level = admin.describeFeatures()
                .featureMetadata()
                .get()
                .finalizedFeatures()
                .get("group.version")
                .maxVersionLevel();
        setGroupVersion((short) 0, UpgradeType.SAFE_DOWNGRADE);
        try (CapturedLog log = CapturedLog.of("org.apache.kafka")) {
            readsAsAClassicGroup();

            assertThat(log.messages()).isEmpty();
        } finally {
            setGroupVersion(level, UpgradeType.UPGRADE);
        }
    }

    private static void setGroupVersion(short level, UpgradeType type) throws Exception {
        admin.updateFeatures(Map.of("group.version", new FeatureUpdate(level, type)), new UpdateFeaturesOptions())
                .all()
                .get();
    }

    private void readsAsAClassicGroup() throws Exception {
        KafkaSettings settings =
                KafkaTestSettings.of(KafkaLoginIT.broker.bootstrapServers(), group, Ordering.NONE, Map.of());
        RecordingIntake intake = RecordingIntake.acknowledging();
        try (RequestSource source = new KafkaTransport(KafkaConnections.ofSystem(settings, "node-1")).source();
                KafkaRequestPublisher requests =
                        new KafkaRequestPublisher(KafkaConnections.ofSystem(settings, "sender"))) {
            source.start(intake);
            await().until(() -> source.status().connected());

            assertThat(requests.send(TestRecords.bytes("x"), null, Map.of())
                            .toCompletableFuture()
                            .join())
                    .isEqualTo(PublishResult.CONFIRMED);

            await().until(() -> intake.accepted.size() == 1);
            assertThat(admin.listGroups().all().get())
                    .filteredOn(each -> each.groupId().equals(group))
                    .extracting(GroupListing::type)
                    .containsExactly(Optional.of(GroupType.CLASSIC));
        }
    }
}
