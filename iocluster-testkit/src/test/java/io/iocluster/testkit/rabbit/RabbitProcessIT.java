package io.iocluster.testkit.rabbit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.AMQP;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RabbitProcessIT {

    private static final Map<String, Object> CLASSIC = Map.of();
    private static final Map<String, Object> QUORUM = Map.of("x-queue-type", "quorum");

    private static RabbitProcess broker;

    @BeforeAll
    static void launch() {
        broker = RabbitProcess.launch();
    }

    @AfterAll
    static void close() {
        broker.close();
    }

    @Test
    void keepsDataAndPortOverAStop() {
        String before = broker.uri();
        broker.declareQueue("stopped", CLASSIC);
        broker.publish("stopped", MessageTexts.bytes("first", "second"));

        broker.stop();
        broker.start();

        assertThat(broker.uri()).isEqualTo(before);
        assertThat(MessageTexts.of(broker.peek("stopped"))).containsExactly("first", "second");
    }

    @Test
    void keepsDataOverAKill() {
        broker.declareQueue("killed", QUORUM);
        broker.publish("killed", MessageTexts.bytes("first"));

        broker.kill();
        broker.start();
        broker.publish("killed", MessageTexts.bytes("second"));

        assertThat(MessageTexts.of(broker.peek("killed"))).containsExactly("first", "second");
    }

    @Test
    void doesNotAnswerWhilePaused() {
        broker.declareQueue("paused", CLASSIC);

        broker.pause();
        assertThatThrownBy(() -> broker.readyMessages("paused")).isInstanceOf(IllegalStateException.class);
        broker.unpause();
        broker.publish("paused", MessageTexts.bytes("found"));

        assertThat(broker.readyMessages("paused")).isEqualTo(1);
    }

    @Test
    void peekLeavesTheMessagesOnTheQueue() {
        broker.declareQueue("read", QUORUM);
        broker.publish("read", MessageTexts.bytes("a", "b", "c"));

        assertThat(MessageTexts.of(broker.peek("read"))).containsExactly("a", "b", "c");
        assertThat(MessageTexts.of(broker.consume("read"))).containsExactly("a", "b", "c");
        assertThat(broker.peek("read")).isEmpty();
        assertThat(broker.readyMessages("read")).isZero();
    }

    @Test
    void publishesWithTheGivenProperties() {
        broker.declareQueue("properties", CLASSIC);
        AMQP.BasicProperties properties = new AMQP.BasicProperties.Builder()
                .correlationId("42")
                .headers(Map.of("traceparent", "00-1-2-01"))
                .build();

        broker.publish("properties", properties, MessageTexts.bytes("x").get(0));

        assertThat(broker.consume("properties")).singleElement().satisfies(message -> {
            assertThat(message.getProps().getCorrelationId()).isEqualTo("42");
            assertThat(message.getProps().getHeaders()).containsOnlyKeys("traceparent");
        });
    }

    @Test
    void isIsolatedFromAnotherBroker() {
        broker.declareQueue("here", CLASSIC);
        try (RabbitProcess other = RabbitProcess.launch()) {
            assertThat(List.of(other.uri(), other.rabbitmqctl("list_queues", "name")))
                    .noneMatch(text -> text.contains(broker.uri()) || text.contains("here"));
        }
        assertThat(broker.readyMessages("here")).isZero();
    }

    @Test
    void reportsTheBrokersLogIfItDoesNotStart() {
        assertThatThrownBy(() -> RabbitProcess.launch(RabbitOptions.DEFAULT.with("no.such.setting", "1")))
                .hasMessageContaining("did not start")
                .hasMessageContaining("no.such.setting");
    }
}
