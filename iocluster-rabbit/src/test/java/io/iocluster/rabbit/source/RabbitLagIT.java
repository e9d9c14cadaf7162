package io.iocluster.rabbit.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.iocluster.rabbit.client.RabbitHarness;
import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.testkit.junit.SharedBrokers;
import io.iocluster.testkit.rabbit.RabbitBroker;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RabbitLagIT {

    private static RabbitBroker broker;

    @BeforeAll
    static void emptyBroker() {
        broker = SharedBrokers.emptyRabbit();
    }

    @Test
    void countsReadyMessagesAndThoseThatTheNodeHolds() {
        RabbitSettings settings = RabbitHarness.fresh(broker).prefetch(4).settings();
        try (RabbitHarness harness = new RabbitHarness(broker, settings)) {
            harness.publish(10);
            harness.start();
            harness.awaitDeliveries(4);

            await().atMost(RabbitHarness.TIMEOUT).until(() -> harness.lag().messages() == 10);
            assertThat(harness.lag().queue()).isEqualTo(settings.requests().queue());
            assertThat(harness.lag().partition()).isNull();
            assertThat(harness.lag().stale()).isFalse();
            harness.intake.onAccept = delivery -> delivery.settlement().acknowledge();
            harness.awaitDeliveries(4).forEach(delivery -> delivery.settlement().acknowledge());

            await().atMost(RabbitHarness.TIMEOUT).until(() -> harness.lag().messages() == 0);
            assertThat(harness.lag().oldestAgeMillis()).isZero();
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
                    .until(() -> harness.lag().oldestAgeMillis() >= 3_600_000
                            && harness.lag().oldestAgeMillis() < 3_700_000);

            harness.awaitDeliveries(2).get(0).settlement().acknowledge();

            await().atMost(RabbitHarness.TIMEOUT).until(() -> harness.lag().oldestAgeMillis() < 60_000);
        }
    }
}
