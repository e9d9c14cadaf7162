package io.iocluster.rabbit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.iocluster.testkit.broker.RabbitBroker;
import io.iocluster.testkit.broker.RabbitCluster;
import io.iocluster.testkit.broker.RabbitProcess;
import io.iocluster.testkit.contract.TakingIntake;
import io.iocluster.testkit.process.FreePorts;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.PublishResult;
import io.iocluster.transport.RequestSource;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RabbitAbsenceIT {

    private static final BasicProperties PLAIN =
            new BasicProperties.Builder().deliveryMode(2).build();

    private static RabbitBroker broker;

    @BeforeAll
    static void startBroker() {
        broker = RabbitBroker.launch();
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    @Test
    void startsWithoutABrokerAndReadsWhenItComes() {
        RabbitSettings settings = RabbitStage.fresh(broker).settings();
        broker.stop();
        TakingIntake intake = new TakingIntake(delivery -> delivery.settlement().acknowledge());
        try (RequestSource source = new RabbitTransport(settings, "node-1").source();
                RabbitRequests requests = new RabbitRequests(settings, "sender")) {
            source.start(intake);
            await().atMost(RabbitStage.SOON)
                    .until(() -> !source.status().connected()
                            && !source.status().problem().startsWith("not connected yet"));
            CompletableFuture<PublishResult> sent =
                    requests.send(RabbitStage.bytes("x"), null, Map.of()).toCompletableFuture();

            broker.start();

            await().atMost(Duration.ofSeconds(60)).until(() -> source.status().connected());
            // The sender may have been faster than the node that makes the queue.
            if (RabbitStage.get(sent) != PublishResult.CONFIRMED) {
                assertThat(RabbitStage.get(requests.send(RabbitStage.bytes("x"), null, Map.of())))
                        .isEqualTo(PublishResult.CONFIRMED);
            }
            await().atMost(RabbitStage.SOON).until(() -> intake.taken.size() == 1);
        }
    }

    @Test
    void keepsTryingWithANameThatDoesNotResolve() {
        RabbitSettings settings =
                TestSettings.of("amqp://broker.invalid:5672", "nowhere").settings();
        RequestSource source = new RabbitTransport(settings, "node-1").source();

        source.start(delivery -> false);

        await().atMost(RabbitStage.SOON)
                .until(() -> source.status().problem().contains("broker.invalid:5672: unknown host"));
        source.stopIntake().toCompletableFuture().join();
        source.close(Duration.ofSeconds(5));
        assertThatThrownBy(() -> new RabbitQueues(settings, "check").check())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("unknown host");
    }

    @Test
    void saysThatItIsNotLetInWithoutSayingThePassword() {
        String uri = broker.uri().replaceFirst("guest:guest", "guest:hush");
        RequestSource source =
                new RabbitTransport(TestSettings.of(uri, "closed").settings(), "node-1").source();

        source.start(delivery -> false);

        await().atMost(RabbitStage.SOON).until(() -> source.status().problem().contains("ACCESS_REFUSED"));
        assertThat(source.status().problem()).doesNotContain("hush");
        source.close();
    }

    @Test
    void takesTheAddressThatAnswersWithAnEmptyPathToo() {
        String nobody = "amqp://127.0.0.1:" + FreePorts.find(1)[0];
        for (int round = 0; round < 4; round++) {
            RabbitSettings settings =
                    RabbitStage.fresh(broker).uris(nobody, broker.uri() + "/").settings();
            try (RabbitStage stage = new RabbitStage(broker, settings).start()) {
                stage.request(PLAIN, "x").settlement().acknowledge();
            }
        }
    }

    @Test
    void noticesABrokerThatIsThereAndDoesNotAnswer() {
        try (RabbitStage stage = new RabbitStage(broker).start()) {
            stage.request(PLAIN, "before").settlement().acknowledge();
            stage.awaitConnected();
            broker.pause();
            try {
                await().atMost(RabbitStage.SOON)
                        .until(() -> !stage.source().status().connected());
            } finally {
                broker.unpause();
            }
            stage.awaitConnected();
            stage.request(PLAIN, "after");
        }
    }

    @Test
    void goesOnOnAnotherNodeOfTheClusterAndLosesNothing() {
        try (RabbitCluster cluster = RabbitCluster.launch(3)) {
            RabbitProcess leader = cluster.nodes().get(0);
            RabbitProcess other = cluster.nodes().get(1);
            RabbitSettings settings = RabbitStage.fresh(leader)
                    .uris(cluster.uris().toArray(String[]::new))
                    .settings();
            try (RabbitStage stage = new RabbitStage(leader, settings)) {
                stage.publish(200);
                stage.intake.then = delivery -> answer(stage, delivery);
                stage.intake.limit = 50;
                stage.start();
                stage.taken(50);

                leader.kill();
                stage.intake.limit = Integer.MAX_VALUE;
                stage.source().roomFreed();

                await().atMost(Duration.ofSeconds(90))
                        .ignoreExceptions()
                        .until(() -> other.read(settings.answers().routingKey()).stream()
                                        .map(answer -> RabbitStage.text(answer.getBody()))
                                        .distinct()
                                        .count()
                                == 200);
                await().atMost(RabbitStage.SOON)
                        .ignoreExceptions()
                        .until(() -> other.depth(settings.requests().queue()) == 0);
            }
        }
    }

    private static void answer(RabbitStage stage, Delivery delivery) {
        stage.sink().publish(delivery, delivery.payload(), null).whenComplete((result, bug) -> {
            if (result == PublishResult.CONFIRMED) {
                delivery.settlement().acknowledge();
            } else {
                delivery.settlement().release();
            }
        });
    }
}
