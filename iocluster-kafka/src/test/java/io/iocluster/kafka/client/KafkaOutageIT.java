package io.iocluster.kafka.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.kafka.KafkaTestSettings;
import io.iocluster.kafka.KafkaTransport;
import io.iocluster.kafka.config.KafkaConnections;
import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.kafka.config.KafkaSettings.Ordering;
import io.iocluster.kafka.config.KafkaTopicAdmin;
import io.iocluster.kafka.config.KafkaTopicAdmin.ResponseLimit;
import io.iocluster.kafka.ledger.TestRecords;
import io.iocluster.testkit.contract.RecordingIntake;
import io.iocluster.testkit.junit.SharedBrokers;
import io.iocluster.testkit.kafka.KafkaBroker;
import io.iocluster.transport.PublishResult;
import io.iocluster.transport.RequestSource;
import io.iocluster.transport.ResponseSink;
import io.iocluster.transport.SourceStatus.Lag;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class KafkaOutageIT {

    private static KafkaBroker broker;

    @BeforeAll
    static void emptyBroker() {
        broker = SharedBrokers.emptyKafka();
    }

    @Test
    void keepsTheLagAndTheAnswersWhileTheBrokerDoesNotAnswer() {
        KafkaSettings settings = KafkaTestSettings.of(broker.bootstrapServers(), "outage", Ordering.NONE, Map.of());
        KafkaTransport transport = new KafkaTransport(KafkaConnections.ofSystem(settings, "node-1"));
        RecordingIntake intake = new RecordingIntake(delivery -> {});
        try (RequestSource reading = transport.source();
                ResponseSink sink = transport.sink();
                KafkaRequestPublisher requests =
                        new KafkaRequestPublisher(KafkaConnections.ofSystem(settings, "sender"))) {
            sink.start();
            reading.start(intake);
            await().until(() -> reading.status().connected());
            for (int i = 0; i < 3; i++) {
                requests.send(TestRecords.bytes("x"), null, Map.of())
                        .toCompletableFuture()
                        .join();
            }
            await().until(() -> reading.status().lags().stream().anyMatch(lag -> lag.messages() == 3 && !lag.stale()));
            await().until(() -> intake.accepted.size() == 3);

            List<CompletionStage<PublishResult>> answers;
            broker.pause();
            try {
                answers = intake.accepted.stream()
                        .map(request -> sink.publish(request, TestRecords.bytes("answer"), null))
                        .toList();
                await().until(() -> reading.status().lags().stream().anyMatch(Lag::stale));
                assertThat(reading.status().lags()).extracting(Lag::messages).containsExactly(3L);
                assertThat(answers)
                        .noneMatch(answer -> answer.toCompletableFuture().isDone());
            } finally {
                broker.unpause();
            }

            await().until(() -> reading.status().lags().stream().noneMatch(Lag::stale));
            assertThat(answers)
                    .allMatch(answer -> answer.toCompletableFuture()
                                    .orTimeout(2, TimeUnit.MINUTES)
                                    .join()
                            == PublishResult.CONFIRMED);
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
        assertThat(new KafkaTopicAdmin(KafkaConnections.ofSystem(settings, "check"))
                        .check(Duration.ofSeconds(2), ResponseLimit.NONE))
                .hasSize(3)
                .allMatch(report -> !report.exists() && report.problem() != null);
    }
}
