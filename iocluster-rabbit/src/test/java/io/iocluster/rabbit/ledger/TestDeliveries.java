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

/** Deliveries without a broker. */
public final class TestDeliveries {

    public static final DelayedQueues NOT_DELAYED = new DelayedQueues(RabbitSettings.DEFAULTS);

    private TestDeliveries() {}

    @SuppressWarnings("JavaUtilDate")
    public // The client knows no other.
    static Date date(long millis) {
        return new Date(millis);
    }

    public static RabbitDelivery of(BasicProperties properties, String body) {
        return of(new SettlementQueue(() -> {}), 1, properties, body, false);
    }

    /** The message as it comes back from the queue where messages of the user {@code nodes} wait for a second. */
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
            SettlementQueue mailbox, long tag, BasicProperties properties, String body, boolean again) {
        return of(mailbox, tag, properties, body, again, NOT_DELAYED);
    }

    static RabbitDelivery of(
            SettlementQueue mailbox,
            long tag,
            BasicProperties properties,
            String body,
            boolean again,
            DelayedQueues delayed) {
        ChannelSession consumption = new ChannelSession(null, "requests", mailbox, delayed);
        return new RabbitDelivery(
                consumption,
                tag,
                properties,
                body.getBytes(StandardCharsets.UTF_8),
                again,
                InspectedMessage.read(tag, body.length()));
    }
}
