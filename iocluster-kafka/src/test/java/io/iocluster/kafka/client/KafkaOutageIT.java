package io.iocluster.kafka.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.iocluster.kafka.KafkaTestSettings;
import io.iocluster.kafka.KafkaTransport;
import io.iocluster.kafka.config.KafkaConnections;
import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.kafka.config.KafkaSettings.Ordering;
import io.iocluster.kafka.config.KafkaTopicAdmin;
import io.iocluster.kafka.ledger.TestRecords;
import io.iocluster.testkit.contract.RecordingIntake;
import io.iocluster.testkit.junit.CapturedLog;
import io.iocluster.testkit.kafka.KafkaBroker;
import io.iocluster.transport.PublishResult;
import io.iocluster.transport.RequestSource;
import io.iocluster.transport.SourceStatus.Lag;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.FeatureUpdate;
import org.apache.kafka.clients.admin.FeatureUpdate.UpgradeType;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.UpdateFeaturesOptions;
import org.apache.kafka.common.GroupType;
import org.junit.jupiter.api.Test;

class KafkaOutageIT {

    @Test
    void startsWithoutABrokerAndReadsWhenTheBrokerStarts() throws Exception {
        try (KafkaBroker broker = KafkaBroker.launch()) {
            broker.stop();
            KafkaSettings settings = KafkaTestSettings.of(broker.bootstrapServers(), "late", Ordering.NONE, Map.of());
            RecordingIntake intake =
                    new RecordingIntake(delivery -> delivery.settlement().acknowledge());
            try (RequestSource source = new KafkaTransport(KafkaConnections.ofSystem(settings, "node-1")).source();
                    KafkaRequestPublisher requests =
                            new KafkaRequestPublisher(KafkaConnections.ofSystem(settings, "sender"))) {
                source.start(intake);
                await().until(() -> !source.status().connected()
                        && !source.status().problem().startsWith("not connected yet"));

                broker.start();

                await().atMost(Duration.ofSeconds(60))
                        .until(() -> source.status().connected());
                CompletableFuture<PublishResult> sent =
                        requests.send(TestRecords.bytes("x"), null, Map.of()).toCompletableFuture();
                await().atMost(Duration.ofSeconds(60)).until(() -> intake.accepted.size() == 1);
                assertThat(sent.join()).isEqualTo(PublishResult.CONFIRMED);
            }
        }
    }

    @Test
    void keepsTheLagAndMarksItStaleWhileTheBrokerIsUnreachable() throws Exception {
        try (KafkaBroker broker = KafkaBroker.launch()) {
            KafkaSettings settings = KafkaTestSettings.of(broker.bootstrapServers(), "outage", Ordering.NONE, Map.of());
            RecordingIntake intake = new RecordingIntake(delivery -> {});
            try (RequestSource source = new KafkaTransport(KafkaConnections.ofSystem(settings, "node-1")).source();
                    KafkaRequestPublisher requests =
                            new KafkaRequestPublisher(KafkaConnections.ofSystem(settings, "sender"))) {
                source.start(intake);
                await().until(() -> source.status().connected());
                for (int i = 0; i < 3; i++) {
                    requests.send(TestRecords.bytes("x"), null, Map.of())
                            .toCompletableFuture()
                            .join();
                }
                await().atMost(Duration.ofSeconds(60))
                        .until(() ->
                                source.status().lags().stream().anyMatch(lag -> lag.messages() == 3 && !lag.stale()));

                broker.stop();

                await().until(() -> source.status().lags().stream().anyMatch(Lag::stale));
                assertThat(source.status().lags()).extracting(Lag::messages).containsExactly(3L);
            }
        }
    }

    @Test
    void keepsRetryingIfTheBrokerNameDoesNotResolve() {
        KafkaSettings settings = KafkaTestSettings.of("broker.invalid:9092", "nowhere", Ordering.NONE, Map.of());
        RequestSource source = new KafkaTransport(KafkaConnections.ofSystem(settings, "node-1")).source();

        source.start(delivery -> false);

        await().until(() ->
                !source.status().connected() && !source.status().problem().startsWith("not connected yet"));
        source.stopIntake().toCompletableFuture().join();
        source.close(Duration.ofSeconds(5));
        assertThat(new KafkaTopicAdmin(KafkaConnections.ofSystem(settings, "check")).check(Duration.ofSeconds(2)))
                .hasSize(3)
                .allMatch(report -> !report.exists() && report.problem() != null);
    }

    @Test
    void fallsBackToTheClassicProtocolIfTheBrokerRefusesTheConsumerProtocol() throws Exception {
        try (KafkaBroker broker = KafkaBroker.launch(Map.of("group.coordinator.rebalance.protocols", "classic"));
                Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
            readsAsAClassicGroup(broker, admin);
        }
    }

    @Test
    void usesTheClassicProtocolWithoutAnErrorIfTheBrokerSupportsNoOther() throws Exception {
        try (KafkaBroker broker = KafkaBroker.launch();
                Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
            FeatureUpdate none = new FeatureUpdate((short) 0, UpgradeType.SAFE_DOWNGRADE);
            admin.updateFeatures(Map.of("group.version", none), new UpdateFeaturesOptions())
                    .all()
                    .get();

            try (CapturedLog log = CapturedLog.of("org.apache.kafka")) {
                readsAsAClassicGroup(broker, admin);

                assertThat(log.messages()).isEmpty();
            }
        }
    }

    private static void readsAsAClassicGroup(KafkaBroker broker, Admin admin) throws Exception {
        KafkaSettings settings = KafkaTestSettings.of(broker.bootstrapServers(), "classic", Ordering.NONE, Map.of());
        RecordingIntake intake =
                new RecordingIntake(delivery -> delivery.settlement().acknowledge());
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
                    .extracting(GroupListing::groupId, GroupListing::type)
                    .containsExactly(tuple("classic", Optional.of(GroupType.CLASSIC)));
        }
    }
}
