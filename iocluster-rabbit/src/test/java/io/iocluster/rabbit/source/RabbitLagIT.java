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
    void countsReadyMessagesAndThoseThatTheNodeHolds() {
        RabbitSettings settings = RabbitHarness.fresh(broker).prefetch(4).settings();
        try (RabbitHarness harness = new RabbitHarness(broker, settings)) {
            harness.publish(10);
            harness.start();
            harness.awaitDeliveries(4);

            await().atMost(RabbitHarness.TIMEOUT).until(() -> lag(harness).messages() == 10);
            assertThat(lag(harness).queue()).isEqualTo(settings.requests().queue());
            assertThat(lag(harness).partition()).isNull();
            assertThat(lag(harness).stale()).isFalse();
            harness.intake.onAccept = delivery -> delivery.settlement().acknowledge();
            harness.awaitDeliveries(4).forEach(delivery -> delivery.settlement().acknowledge());

            await().atMost(RabbitHarness.TIMEOUT).until(() -> lag(harness).messages() == 0);
            assertThat(lag(harness).oldestAgeMillis()).isZero();
        }
    }

    @Test
    void reportsTheAgeOfTheOldestUnsettledMessage() {
        try (RabbitHarness harness = new RabbitHarness(broker).start()) {
            BasicProperties anHourOld = new BasicProperties.Builder()
                    .deliveryMode(2)
                    .headers(Map.of("timestamp_in_ms", System.currentTimeMillis() - 3_600_000))
                    .build();
            harness.request(anHourOld, "old");
            harness.request(new BasicProperties(), "new");

            await().atMost(RabbitHarness.TIMEOUT)
                    .until(() -> lag(harness).oldestAgeMillis() >= 3_600_000
                            && lag(harness).oldestAgeMillis() < 3_700_000);

            harness.awaitDeliveries(2).get(0).settlement().acknowledge();

            await().atMost(RabbitHarness.TIMEOUT).until(() -> lag(harness).oldestAgeMillis() < 60_000);
        }
    }

    @Test
    void countsMessagesOfOtherNodesByTheManagementApi() {
        RabbitSettings settings = RabbitHarness.fresh(broker)
                .prefetch(6)
                .management(broker.managementUri().toString())
                .settings();
        try (RabbitHarness first = new RabbitHarness(broker, settings);
                RabbitHarness second = new RabbitHarness(broker, settings)) {
            first.publish(6);
            first.start();
            first.awaitDeliveries(6);
            second.start();
            second.awaitConnected();

            await().atMost(RabbitHarness.TIMEOUT).until(() -> lag(second).messages() == 6);
            assertThat(lag(second).heldByOtherConsumers()).isEqualTo(6);
            assertThat(lag(first).messages()).isEqualTo(6);
            assertThat(lag(first).heldByOtherConsumers()).isZero();
            assertThat(second.intake.accepted).isEmpty();
        }
    }

    @Test
    void readsZerosForANewQueueFromTheManagementApi() throws Exception {
        RabbitSettings settings = RabbitHarness.fresh(broker)
                .management(broker.managementUri().toString())
                .settings();
        broker.declareQueue(settings.requests().queue(), Map.of("x-queue-type", "quorum"));

        ManagementApi.QueueStatistics described = new ManagementApi(settings, System::nanoTime).fetchQueueStatistics();

        assertThat(described).isEqualTo(new ManagementApi.QueueStatistics(0, 0));
    }

    @Test
    void reportsTheLagWithoutAWorkingManagementApi() {
        RabbitSettings settings = RabbitHarness.fresh(broker)
                .prefetch(2)
                .management(
                        "http://guest:wrong@127.0.0.1:" + broker.managementUri().getPort())
                .settings();
        try (RabbitHarness harness = new RabbitHarness(broker, settings)) {
            harness.publish(5);
            harness.start();

            await().atMost(RabbitHarness.TIMEOUT).until(() -> lag(harness).messages() == 5);
            assertThat(harness.source().status().connected()).isTrue();
        }
    }

    @Test
    void keepsTheLastLagAsStaleDuringAnOutage() {
        try (RabbitHarness harness = new RabbitHarness(broker)) {
            harness.publish(3);
            harness.start();
            harness.awaitDeliveries(3);
            await().atMost(RabbitHarness.TIMEOUT)
                    .until(() -> lag(harness).messages() == 3 && !lag(harness).stale());
            broker.stop();
            try {
                await().atMost(RabbitHarness.TIMEOUT).until(() -> lag(harness).stale());
                assertThat(lag(harness).messages()).isEqualTo(3);
            } finally {
                broker.start();
            }
            await().atMost(Duration.ofSeconds(60)).until(() -> !lag(harness).stale());
            assertThat(lag(harness).messages()).isEqualTo(3);
        }
    }

    /** Returns the lag, or a stale one before the first report. */
    private static Lag lag(RabbitHarness harness) {
        List<Lag> lags = harness.source().status().lags();
        return lags.isEmpty() ? new Lag("unknown", null, -1, 0, true) : lags.get(0);
    }
}
