package io.iocluster.kafka.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.kafka.KafkaTestSettings;
import io.iocluster.kafka.KafkaTransport;
import io.iocluster.kafka.config.KafkaConnections;
import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.kafka.config.KafkaSettings.Ordering;
import io.iocluster.kafka.config.KafkaTopicAdmin;
import io.iocluster.kafka.ledger.TestRecords;
import io.iocluster.testkit.contract.RecordingIntake;
import io.iocluster.testkit.junit.SharedBrokers;
import io.iocluster.testkit.kafka.KafkaBroker;
import io.iocluster.transport.PublishResult;
import io.iocluster.transport.RequestSource;
import io.iocluster.transport.SourceStatus.Lag;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class KafkaOutageIT {

    private static KafkaBroker broker;

    @BeforeAll
    static void emptyBroker() {
        broker = SharedBrokers.emptyKafka();
    }

    @Test
    void keepsTheLagDuringAnOutageAndStartsWithoutABroker() throws Exception {
        KafkaSettings settings = KafkaTestSettings.of(broker.bootstrapServers(), "outage", Ordering.NONE, Map.of());
        KafkaSettings late = KafkaTestSettings.of(broker.bootstrapServers(), "late", Ordering.NONE, Map.of());
        RecordingIntake intake = RecordingIntake.acknowledging();
        try (RequestSource reading = new KafkaTransport(KafkaConnections.ofSystem(settings, "node-1")).source();
                RequestSource starting = new KafkaTransport(KafkaConnections.ofSystem(late, "node-2")).source();
                KafkaRequestPublisher requests =
                        new KafkaRequestPublisher(KafkaConnections.ofSystem(settings, "sender"));
                KafkaRequestPublisher lateRequests =
                        new KafkaRequestPublisher(KafkaConnections.ofSystem(late, "late-sender"))) {
            reading.start(new RecordingIntake(delivery -> {}));
            await().until(() -> reading.status().connected());
            for (int i = 0; i < 3; i++) {
                requests.send(TestRecords.bytes("x"), null, Map.of())
                        .toCompletableFuture()
                        .join();
            }
            await().until(() -> reading.status().lags().stream().anyMatch(lag -> lag.messages() == 3 && !lag.stale()));

            broker.stop();
            try {
                await().until(() -> reading.status().lags().stream().anyMatch(Lag::stale));
                assertThat(reading.status().lags()).extracting(Lag::messages).containsExactly(3L);
                starting.start(intake);
                await().until(() -> !starting.status().connected()
                        && !starting.status().problem().startsWith("not connected yet"));
            } finally {
                broker.start();
            }

            await().until(() -> starting.status().connected());
            CompletableFuture<PublishResult> sent =
                    lateRequests.send(TestRecords.bytes("x"), null, Map.of()).toCompletableFuture();
            await().until(() -> intake.accepted.size() == 1);
            assertThat(sent.join()).isEqualTo(PublishResult.CONFIRMED);
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
}
