package io.iocluster.rabbit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.iocluster.testkit.broker.RabbitBroker;
import io.iocluster.testkit.broker.RabbitOptions;
import io.iocluster.transport.SourceStatus.Lag;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RabbitLagIT {

    private static RabbitBroker broker;

    @BeforeAll
    static void startBroker() {
        broker = RabbitBroker.launch(RabbitOptions.DEFAULT.withPlugin(RabbitOptions.MANAGEMENT));
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    @Test
    void countsWhatIsReadyAndWhatTheNodeHolds() {
        RabbitSettings settings = RabbitStage.fresh(broker).prefetch(4).settings();
        try (RabbitStage stage = new RabbitStage(broker, settings)) {
            stage.publish(10);
            stage.start();
            stage.taken(4);

            await().atMost(RabbitStage.SOON).until(() -> lag(stage).messages() == 10);
            assertThat(lag(stage).queue()).isEqualTo(settings.requests().queue());
            assertThat(lag(stage).partition()).isNull();
            assertThat(lag(stage).stale()).isFalse();
            stage.intake.then = delivery -> delivery.settlement().acknowledge();
            stage.taken(4).forEach(delivery -> delivery.settlement().acknowledge());

            await().atMost(RabbitStage.SOON).until(() -> lag(stage).messages() == 0);
            assertThat(lag(stage).oldestMillis()).isZero();
        }
    }

    @Test
    void saysHowOldTheOldestOpenOneIs() {
        try (RabbitStage stage = new RabbitStage(broker).start()) {
            BasicProperties anHourOld = new BasicProperties.Builder()
                    .deliveryMode(2)
                    .headers(Map.of("timestamp_in_ms", System.currentTimeMillis() - 3_600_000))
                    .build();
            stage.request(anHourOld, "old");
            stage.request(new BasicProperties(), "new");

            await().atMost(RabbitStage.SOON)
                    .until(() ->
                            lag(stage).oldestMillis() >= 3_600_000 && lag(stage).oldestMillis() < 3_700_000);

            stage.taken(2).get(0).settlement().acknowledge();

            await().atMost(RabbitStage.SOON).until(() -> lag(stage).oldestMillis() < 60_000);
        }
    }

    @Test
    void countsWhatOtherNodesHoldWhereTheManagementApiSaysSo() {
        RabbitSettings settings = RabbitStage.fresh(broker)
                .prefetch(6)
                .management(broker.management().toString())
                .settings();
        try (RabbitStage first = new RabbitStage(broker, settings);
                RabbitStage second = new RabbitStage(broker, settings)) {
            first.publish(6);
            first.start();
            first.taken(6);
            second.start();
            second.awaitConnected();

            await().atMost(RabbitStage.SOON).until(() -> lag(second).messages() == 6);
            assertThat(lag(second).elsewhere()).isEqualTo(6);
            assertThat(lag(first).messages()).isEqualTo(6);
            assertThat(lag(first).elsewhere()).isZero();
            assertThat(second.intake.taken).isEmpty();
        }
    }

    @Test
    void asksTheManagementApiForAQueueThatIsFreshToo() throws Exception {
        RabbitSettings settings = RabbitStage.fresh(broker)
                .management(broker.management().toString())
                .settings();
        broker.declareQueue(settings.requests().queue(), Map.of("x-queue-type", "quorum"));

        ManagementApi.Queue described = new ManagementApi(settings).queue();

        assertThat(described).isEqualTo(new ManagementApi.Queue(0, 0));
    }

    @Test
    void doesWithoutAManagementApiThatDoesNotAnswer() {
        RabbitSettings settings = RabbitStage.fresh(broker)
                .prefetch(2)
                .management(
                        "http://guest:wrong@127.0.0.1:" + broker.management().getPort())
                .settings();
        try (RabbitStage stage = new RabbitStage(broker, settings)) {
            stage.publish(5);
            stage.start();

            await().atMost(RabbitStage.SOON).until(() -> lag(stage).messages() == 5);
            assertThat(stage.source().status().connected()).isTrue();
        }
    }

    @Test
    void keepsItsFiguresAndSaysThatTheyAreOldWhileTheBrokerIsAway() {
        try (RabbitStage stage = new RabbitStage(broker)) {
            stage.publish(3);
            stage.start();
            stage.taken(3);
            await().atMost(RabbitStage.SOON)
                    .until(() -> lag(stage).messages() == 3 && !lag(stage).stale());
            broker.stop();
            try {
                await().atMost(RabbitStage.SOON).until(() -> lag(stage).stale());
                assertThat(lag(stage).messages()).isEqualTo(3);
            } finally {
                broker.start();
            }
            await().atMost(Duration.ofSeconds(60)).until(() -> !lag(stage).stale());
            assertThat(lag(stage).messages()).isEqualTo(3);
        }
    }

    /** One that is stale, for as long as the broker has said nothing. */
    private static Lag lag(RabbitStage stage) {
        List<Lag> lags = stage.source().status().lags();
        return lags.isEmpty() ? new Lag("unknown", null, -1, 0, true) : lags.get(0);
    }
}
