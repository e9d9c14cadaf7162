package io.iocluster.rabbit.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.iocluster.rabbit.RabbitTestSettings;
import io.iocluster.rabbit.RabbitTransport;
import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.rabbit.connection.ConnectionSupervisor;
import io.iocluster.rabbit.connection.RabbitQueueAdmin;
import io.iocluster.testkit.contract.RecordingIntake;
import io.iocluster.testkit.junit.CapturedLog;
import io.iocluster.testkit.junit.SharedBrokers;
import io.iocluster.testkit.process.FreePorts;
import io.iocluster.testkit.rabbit.RabbitBroker;
import io.iocluster.thread.Platform;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.PublishResult;
import io.iocluster.transport.RequestSource;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RabbitOutageIT {

    private static final BasicProperties PLAIN =
            new BasicProperties.Builder().deliveryMode(2).build();

    private static RabbitBroker broker;

    @BeforeAll
    static void emptyBroker() {
        broker = SharedBrokers.emptyRabbit();
    }

    @Test
    void keepsTheLagAndTheAnswersDuringAnOutageAndStartsWithoutABroker() {
        RabbitSettings settings = RabbitHarness.fresh(broker).settings();
        RecordingIntake intake = RecordingIntake.acknowledging();
        try (RabbitHarness reading = new RabbitHarness(broker);
                RequestSource starting = new RabbitTransport(settings, "node-2", Platform.system()).source();
                RabbitRequestPublisher requests = new RabbitRequestPublisher(settings, "sender", Platform.system())) {
            reading.publish(3);
            reading.start();
            reading.awaitDeliveries(3);
            CompletableFuture<PublishResult> sent;
            List<CompletionStage<PublishResult>> answers;
            await().until(() -> reading.lag().messages() == 3 && !reading.lag().stale());

            broker.stop();
            try {
                answers = reading.awaitDeliveries(3).stream()
                        .map(request -> reading.sink().publish(request, RabbitHarness.bytes("answer"), null))
                        .toList();
                await().until(() -> reading.lag().stale());
                assertThat(reading.lag().messages()).isEqualTo(3);
                assertThat(answers)
                        .noneMatch(answer -> answer.toCompletableFuture().isDone());
                starting.start(intake);
                await().until(() -> !starting.status().connected()
                        && !starting.status().problem().startsWith("not connected yet"));
                sent = requests.send(RabbitHarness.bytes("x"), null, Map.of()).toCompletableFuture();
            } finally {
                broker.start();
            }

            assertThat(answers).allMatch(answer -> RabbitHarness.get(answer) == PublishResult.CONFIRMED);
            await().until(() -> starting.status().connected());
            // The sender may publish before the node has declared the queue.
            if (RabbitHarness.get(sent) != PublishResult.CONFIRMED) {
                assertThat(RabbitHarness.get(requests.send(RabbitHarness.bytes("x"), null, Map.of())))
                        .isEqualTo(PublishResult.CONFIRMED);
            }
            await().until(() -> intake.accepted.size() == 1);
            await().until(() -> !reading.lag().stale());
            assertThat(reading.lag().messages()).isEqualTo(3);
        }
    }

    @Test
    void reportsAHostNameThatDoesNotResolve() {
        RabbitSettings settings =
                RabbitTestSettings.of("amqp://broker.invalid:5672", "nowhere").settings();
        RequestSource source = new RabbitTransport(settings, "node-1", Platform.system()).source();

        source.start(delivery -> false);

        await().atMost(RabbitHarness.TIMEOUT)
                .until(() -> source.status().problem().contains("broker.invalid:5672: unknown host"));
        source.stopIntake().toCompletableFuture().join();
        source.close(Duration.ofSeconds(5));
        assertThatThrownBy(() -> new RabbitQueueAdmin(settings, "check", Platform.system()).check())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("unknown host");
    }

    @Test
    void reportsRefusedAccessWithoutThePassword() {
        String uri = broker.uri().replaceFirst("guest:guest", "guest:hush");
        RequestSource source = new RabbitTransport(
                        RabbitTestSettings.of(uri, "closed").settings(), "node-1", Platform.system())
                .source();

        source.start(delivery -> false);

        await().atMost(RabbitHarness.TIMEOUT)
                .until(() -> source.status().problem().contains("ACCESS_REFUSED"));
        assertThat(source.status().problem()).doesNotContain("hush");
        source.close();
    }

    @Test
    void connectsToTheAddressThatAnswers() {
        String unused = "amqp://127.0.0.1:" + FreePorts.find(1)[0];
        for (int round = 0; round < 4; round++) {
            RabbitSettings settings =
                    RabbitHarness.fresh(broker).uris(unused, broker.uri() + "/").settings();
            try (RabbitHarness harness = new RabbitHarness(broker, settings).start()) {
                harness.request(PLAIN, "x").settlement().acknowledge();
            }
        }
    }

    @Test
    void detectsABrokerThatDoesNotAnswer() {
        RabbitSettings settings =
                RabbitHarness.fresh(broker).heartbeat(Duration.ofSeconds(2)).settings();
        try (RabbitHarness harness = new RabbitHarness(broker, settings).start()) {
            harness.request(PLAIN, "before").settlement().acknowledge();
            harness.awaitConnected();
            broker.pause();
            try {
                await().atMost(RabbitHarness.TIMEOUT)
                        .until(() -> !harness.source().status().connected());
            } finally {
                broker.unpause();
            }
            harness.awaitConnected();
            harness.request(PLAIN, "after");
        }
    }

    @Test
    void keepsTheConnectionWhileTheBrokerStallsForLessThanTheHeartbeatNeeds() {
        RabbitSettings settings =
                RabbitHarness.fresh(broker).heartbeat(Duration.ofMinutes(1)).settings();
        try (RabbitHarness harness = new RabbitHarness(broker, settings).start();
                CapturedLog connections = CapturedLog.of(ConnectionSupervisor.class)) {
            harness.source().prefetchHint(3, 2);
            harness.publish(5);
            List<Delivery> open = harness.awaitDeliveries(5);
            broker.pause();
            try {
                // Makes the source ask the broker for more.
                harness.source().prefetchHint(30, 20);
                await().atMost(RabbitHarness.TIMEOUT)
                        .during(Duration.ofSeconds(10))
                        .untilAsserted(() -> assertThat(connections.messages()).isEmpty());
            } finally {
                broker.unpause();
            }
            harness.publish(5);
            open.forEach(delivery -> delivery.settlement().acknowledge());

            assertThat(harness.awaitDeliveries(10)).hasSize(10);
            assertThat(harness.source().status().redelivered()).isZero();
        }
    }
}
