package io.iocluster.rabbit.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.rabbit.RabbitTestSettings;
import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.rabbit.config.RabbitSettings.AnswerRoutingSettings;
import io.iocluster.rabbit.config.RabbitSettings.QueueType;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopologyTest {

    @Test
    void declaresTheConfiguredQueues() {
        Topology quorum = new Topology(RabbitSettings.DEFAULTS);
        Topology classic = new Topology(RabbitTestSettings.of("amqp://h", "t")
                .declare(true, QueueType.CLASSIC)
                .answers(new AnswerRoutingSettings("topic", "key", List.of()))
                .settings());

        assertThat(quorum.entities())
                .extracting(Topology.BrokerEntity::title)
                .containsExactly("queue iocluster.requests", "queue iocluster.answers", "queue iocluster.dead-letters");
        assertThat(quorum.entities().get(0).arguments())
                .containsEntry("x-queue-type", "quorum")
                .containsEntry("x-dead-letter-routing-key", "iocluster.dead-letters")
                .containsEntry("x-dead-letter-strategy", "at-least-once");
        assertThat(quorum.entities().get(1).arguments()).containsOnlyKeys("x-queue-type");
        assertThat(classic.entities())
                .extracting(Topology.BrokerEntity::title)
                .containsExactly("queue t.requests", "exchange topic", "queue t.dead");
        assertThat(classic.entities().get(0).arguments())
                .containsEntry("x-queue-type", "classic")
                .containsEntry("x-dead-letter-exchange", "")
                .doesNotContainKey("x-dead-letter-strategy");
    }

    @Test
    void declaresADelayQueueThatReturnsItsMessagesToTheRequestQueue() {
        Topology topology = new Topology(RabbitTestSettings.of("amqp://h", "t")
                .delay(Duration.ofSeconds(90))
                .settings());

        Topology.BrokerEntity delayQueue = topology.entities().get(3);
        assertThat(topology.entities()).hasSize(4);
        assertThat(delayQueue.title()).isEqualTo("queue t.requests.delayed-90s");
        assertThat(delayQueue.arguments())
                .containsEntry("x-queue-type", "quorum")
                .containsEntry("x-message-ttl", 90_000L)
                .containsEntry("x-dead-letter-exchange", "")
                .containsEntry("x-dead-letter-routing-key", "t.requests")
                .containsEntry("x-dead-letter-strategy", "at-least-once")
                .containsEntry("x-overflow", "reject-publish");
    }

    @ParameterizedTest
    @CsvSource({"4.1.0, 4", "3.10.8, 3", "4.0.0-rc.1, 4", "x, 0"})
    void readsTheMajorVersionOfTheBroker(String version, int major) {
        assertThat(DeliveryLimitCheck.majorVersion(version)).isEqualTo(major);
    }
}
