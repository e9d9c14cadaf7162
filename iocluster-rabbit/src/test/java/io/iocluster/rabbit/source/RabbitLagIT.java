package io.iocluster.rabbit.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.iocluster.rabbit.client.RabbitHarness;
import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.testkit.rabbit.RabbitBroker;
import io.iocluster.testkit.rabbit.RabbitOptions;
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
        RabbitSettings settings = RabbitHarness.fresh(broker).prefetch(4).settings();
        try (RabbitHarness stage = new RabbitHarness(broker, settings)) {
            stage.publish(10);
            stage.start();
            stage.taken(4);

            await().atMost(RabbitHarness.SOON).until(() -> lag(stage).messages() == 10);
            assertThat(lag(stage).queue()).isEqualTo(settings.requests().queue());
            assertThat(lag(stage).partition()).isNull();
            assertThat(lag(stage).stale()).isFalse();
            stage.intake.then = delivery -> delivery.settlement().acknowledge();
            stage.taken(4).forEach(delivery -> delivery.settlement().acknowledge());

            await().atMost(RabbitHarness.SOON).until(() -> lag(stage).messages() == 0);
            assertThat(lag(stage).oldestAgeMillis()).isZero();
        }
    }

    @Test
    void saysHowOldTheOldestOpenOneIs() {
        try (RabbitHarness stage = new RabbitHarness(broker).start()) {
            BasicProperties anHourOld = new BasicProperties.Builder()
                    .deliveryMode(2)
                    .headers(Map.of("timestamp_in_ms", System.currentTimeMillis() - 3_600_000))
                    .build();
            stage.request(anHourOld, "old");
            stage.request(new BasicProperties(), "new");

            await().atMost(RabbitHarness.SOON)
                    .until(() -> lag(stage).oldestAgeMillis() >= 3_600_000
                            && lag(stage).oldestAgeMillis() < 3_700_000);

            stage.taken(2).get(0).settlement().acknowledge();

            await().atMost(RabbitHarness.SOON).until(() -> lag(stage).oldestAgeMillis() < 60_000);
        }
    }

    @Test
    void countsWhatOtherNodesHoldWhereTheManagementApiSaysSo() {
        RabbitSettings settings = RabbitHarness.fresh(broker)
                .prefetch(6)
                .management(broker.managementUri().toString())
                .settings();
        try (RabbitHarness first = new RabbitHarness(broker, settings);
                RabbitHarness second = new RabbitHarness(broker, settings)) {
            first.publish(6);
            first.start();
            first.taken(6);
            second.start();
            second.awaitConnected();

            await().atMost(RabbitHarness.SOON).until(() -> lag(second).messages() == 6);
            assertThat(lag(second).heldByOtherConsumers()).isEqualTo(6);
            assertThat(lag(first).messages()).isEqualTo(6);
            assertThat(lag(first).heldByOtherConsumers()).isZero();
            assertThat(second.intake.taken).isEmpty();
        }
    }

    @Test
    void asksTheManagementApiForAQueueThatIsFreshToo() throws Exception {
        RabbitSettings settings = RabbitHarness.fresh(broker)
                .management(broker.managementUri().toString())
                .settings();
        broker.declareQueue(settings.requests().queue(), Map.of("x-queue-type", "quorum"));

        ManagementApi.QueueStatistics described = new ManagementApi(settings).fetchQueueStatistics();

        assertThat(described).isEqualTo(new ManagementApi.QueueStatistics(0, 0));
    }

    @Test
    void doesWithoutAManagementApiThatDoesNotAnswer() {
        RabbitSettings settings = RabbitHarness.fresh(broker)
                .prefetch(2)
                .management(
                        "http://guest:wrong@127.0.0.1:" + broker.managementUri().getPort())
                .settings();
        try (RabbitHarness stage = new RabbitHarness(broker, settings)) {
            stage.publish(5);
            stage.start();

            await().atMost(RabbitHarness.SOON).until(() -> lag(stage).messages() == 5);
            assertThat(stage.source().status().connected()).isTrue();
        }
    }

    @Test
    void keepsItsFiguresAndSaysThatTheyAreOldWhileTheBrokerIsAway() {
        try (RabbitHarness stage = new RabbitHarness(broker)) {
            stage.publish(3);
            stage.start();
            stage.taken(3);
            await().atMost(RabbitHarness.SOON)
                    .until(() -> lag(stage).messages() == 3 && !lag(stage).stale());
            broker.stop();
            try {
                await().atMost(RabbitHarness.SOON).until(() -> lag(stage).stale());
                assertThat(lag(stage).messages()).isEqualTo(3);
            } finally {
                broker.start();
            }
            await().atMost(Duration.ofSeconds(60)).until(() -> !lag(stage).stale());
            assertThat(lag(stage).messages()).isEqualTo(3);
        }
    }

    /** One that is stale, for as long as the broker has said nothing. */
    private static Lag lag(RabbitHarness stage) {
        List<Lag> lags = stage.source().status().lags();
        return lags.isEmpty() ? new Lag("unknown", null, -1, 0, true) : lags.get(0);
    }
}
