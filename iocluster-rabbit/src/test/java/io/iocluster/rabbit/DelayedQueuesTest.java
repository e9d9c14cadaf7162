package io.iocluster.rabbit;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.impl.LongStringHelper;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DelayedQueuesTest {

    private static final RabbitSettings SETTINGS = TestSettings.of("amqp://nodes:pw@h", "t")
            .delay(Duration.ofSeconds(1))
            .settings();
    private static final String OURS = SETTINGS.delayedQueues().get(0);

    private final DelayedQueues delayed = new DelayedQueues(SETTINGS);

    @Test
    void recognisesWhatANodePublishedAndTheBrokerMoved() {
        assertThat(delayed.returned(message("nodes", OURS, "expired"))).isTrue();
    }

    @Test
    void recognisesNothingThatAnotherUserPublished() {
        assertThat(delayed.returned(message("producer", OURS, "expired"))).isFalse();
        assertThat(delayed.returned(message(null, OURS, "expired"))).isFalse();
    }

    @Test
    void recognisesNothingThatComesFromElsewhere() {
        assertThat(delayed.returned(message("nodes", "other.delayed-1s", "expired")))
                .isFalse();
        assertThat(delayed.returned(message("nodes", OURS, "rejected"))).isFalse();
        assertThat(delayed.returned(
                        new BasicProperties.Builder().userId("nodes").build()))
                .isFalse();
        assertThat(delayed.returned(headers(Map.of("x-death", "text")))).isFalse();
        assertThat(delayed.returned(headers(Map.of("x-death", List.of())))).isFalse();
        assertThat(delayed.returned(headers(Map.of("x-death", List.of("text")))))
                .isFalse();
    }

    @Test
    void recognisesNothingWhereNothingIsDelayed() {
        DelayedQueues off =
                new DelayedQueues(TestSettings.of("amqp://nodes:pw@h", "t").settings());

        assertThat(off.returned(message("nodes", OURS, "expired"))).isFalse();
    }

    private static BasicProperties headers(Map<String, Object> headers) {
        return new BasicProperties.Builder().userId("nodes").headers(headers).build();
    }

    private static BasicProperties message(String userId, String queue, String reason) {
        Map<String, Object> death =
                Map.of("queue", LongStringHelper.asLongString(queue), "reason", LongStringHelper.asLongString(reason));
        return new BasicProperties.Builder()
                .userId(userId)
                .headers(Map.of("x-death", List.of(death)))
                .build();
    }
}
