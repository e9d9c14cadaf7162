package io.iocluster.rabbit.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.impl.LongStringHelper;
import io.iocluster.rabbit.RabbitTestSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DelayedQueuesTest {

    private static final RabbitSettings SETTINGS = RabbitTestSettings.of("amqp://nodes:pw@h", "t")
            .delay(Duration.ofSeconds(1))
            .settings();
    private static final String DELAY_QUEUE = SETTINGS.delayedQueues().get(0);

    private final DelayedQueues delayed = new DelayedQueues(SETTINGS);

    @Test
    void recognisesAMessageThatANodeDelayedAndTheBrokerReturned() {
        assertThat(delayed.isDelayedRetry(message("nodes", DELAY_QUEUE, "expired")))
                .isTrue();
    }

    @Test
    void ignoresMessagesOfAnotherUser() {
        assertThat(delayed.isDelayedRetry(message("producer", DELAY_QUEUE, "expired")))
                .isFalse();
        assertThat(delayed.isDelayedRetry(message(null, DELAY_QUEUE, "expired")))
                .isFalse();
    }

    @Test
    void ignoresMessagesThatDidNotExpireInADelayQueue() {
        assertThat(delayed.isDelayedRetry(message("nodes", "other.delayed-1s", "expired")))
                .isFalse();
        assertThat(delayed.isDelayedRetry(message("nodes", DELAY_QUEUE, "rejected")))
                .isFalse();
        assertThat(delayed.isDelayedRetry(
                        new BasicProperties.Builder().userId("nodes").build()))
                .isFalse();
        assertThat(delayed.isDelayedRetry(headers(Map.of("x-death", "text")))).isFalse();
        assertThat(delayed.isDelayedRetry(headers(Map.of("x-death", List.of()))))
                .isFalse();
        assertThat(delayed.isDelayedRetry(headers(Map.of("x-death", List.of("text")))))
                .isFalse();
    }

    @Test
    void ignoresAllMessagesWhenDelayedRetriesAreDisabled() {
        DelayedQueues disabled = new DelayedQueues(
                RabbitTestSettings.of("amqp://nodes:pw@h", "t").settings());

        assertThat(disabled.isDelayedRetry(message("nodes", DELAY_QUEUE, "expired")))
                .isFalse();
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
