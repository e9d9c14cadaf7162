package io.iocluster.rabbit;

import com.rabbitmq.client.AMQP.BasicProperties;
import java.nio.charset.StandardCharsets;
import java.util.Date;

/** Deliveries without a broker. */
final class Deliveries {

    private Deliveries() {}

    @SuppressWarnings("JavaUtilDate") // The client knows no other.
    static Date date(long millis) {
        return new Date(millis);
    }

    static RabbitDelivery of(BasicProperties properties, String body) {
        return of(new Mailbox(() -> {}), 1, properties, body, false);
    }

    static RabbitDelivery of(Mailbox mailbox, long tag, BasicProperties properties, String body, boolean again) {
        Consumption consumption = new Consumption(null, "requests", mailbox);
        return new RabbitDelivery(
                consumption,
                tag,
                properties,
                body.getBytes(StandardCharsets.UTF_8),
                again,
                Arrival.read(tag, body.length()));
    }
}
