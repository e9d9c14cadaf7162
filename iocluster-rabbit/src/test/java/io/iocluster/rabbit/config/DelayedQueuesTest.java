package io.iocluster.rabbit.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.impl.LongStringHelper;
import io.iocluster.rabbit.RabbitTestSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DelayedQueuesTest {

    private static final RabbitSettings SETTINGS = RabbitTestSettings.of("amqp://nodes:pw@h", "t")
            .delay(Duration.ofSeconds(1))
            .settings();
    private static final String DELAY_QUEUE = SETTINGS.delayedQueues().get(0);

    private final DelayedQueues delayed = new DelayedQueues(SETTINGS);

    @ParameterizedTest
    @CsvSource({
        "nodes, t.requests.delayed-1s, expired, true",
        "producer, t.requests.delayed-1s, expired, false",
        ", t.requests.delayed-1s, expired, false",
        "nodes, other.delayed-1s, expired, false",
        "nodes, t.requests.delayed-1s, rejected, false"
    })
    void recognisesAMessageThatANodeDelayedAndTheBrokerReturned(
            String userId, String queue, String reason, boolean recognised) {
        assertThat(delayed.isDelayedRetry(message(userId, queue, reason))).isEqualTo(recognised);
    }

    @Test
    void ignoresMessagesWithAForgedDeath() {
        assertThat(delayed.isDelayedRetry(
                        new BasicProperties.Builder().userId("nodes").build()))
                .isFalse();
        for (Object death : List.of("text", List.of(), List.of("text"))) {
            assertThat(delayed.isDelayedRetry(headers(Map.of("x-death", death))))
                    .isFalse();
        }
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
