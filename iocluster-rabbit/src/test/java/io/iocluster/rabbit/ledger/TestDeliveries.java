package io.iocluster.rabbit.ledger;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.iocluster.rabbit.RabbitTestSettings;
import io.iocluster.rabbit.config.DelayedQueues;
import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.rabbit.connection.InspectedMessage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Creates deliveries without a broker. */
public final class TestDeliveries {

    public static final DelayedQueues NOT_DELAYED = new DelayedQueues(RabbitSettings.DEFAULTS);

    private TestDeliveries() {}

    @SuppressWarnings("JavaUtilDate") // The client's API uses Date.
    public static Date date(long millis) {
        return new Date(millis);
    }

    public static RabbitDelivery of(BasicProperties properties, String body) {
        return of(new SettlementQueue(() -> {}), 1, properties, body, false);
    }

    /** Returns a delayed retry: the message after it expired in a delay queue. The nodes' RabbitMQ user is {@code nodes}. */
    public static RabbitDelivery delayedRetry(BasicProperties properties, String body) {
        RabbitSettings settings = RabbitTestSettings.of("amqp://nodes:pw@h", "t")
                .delay(Duration.ofSeconds(1))
                .settings();
        Map<String, Object> headers = new HashMap<>(properties.getHeaders());
        headers.put(
                "x-death",
                List.of(Map.of(
                        "reason", "expired", "queue", settings.delayedQueues().get(0))));
        return of(
                new SettlementQueue(() -> {}),
                1,
                properties.builder().headers(headers).build(),
                body,
                false,
                new DelayedQueues(settings));
    }

    static RabbitDelivery of(
            SettlementQueue settlements, long tag, BasicProperties properties, String body, boolean redelivered) {
        return of(settlements, tag, properties, body, redelivered, NOT_DELAYED);
    }

    static RabbitDelivery of(
            SettlementQueue settlements,
            long tag,
            BasicProperties properties,
            String body,
            boolean redelivered,
            DelayedQueues delayed) {
        ChannelSession session = new ChannelSession(null, "requests", settlements, delayed);
        return new RabbitDelivery(
                session,
                tag,
                properties,
                body.getBytes(StandardCharsets.UTF_8),
                redelivered,
                System.currentTimeMillis(),
                InspectedMessage.read(tag, body.length()));
    }
}
