package io.iocluster.rabbit.replay;

import com.rabbitmq.client.AMQP.BasicProperties;
import java.util.Map;

/**
 * One unsettled delivery. Immutable.
 *
 * @param channel delivered it
 * @param tag valid in that channel
 * @param body not modified
 */
record Message(DeliveryChannel channel, long tag, BasicProperties properties, byte[] body) {

    private static final String DELIVERY_COUNT = "x-delivery-count";

    private static final byte[] NO_BODY = {};

    /** Returns the message without its body, to be kept. */
    Message withoutBody() {
        return new Message(channel, tag, properties, NO_BODY);
    }

    /** Returns the header, or null. */
    String header(String name) {
        Object value = headers().get(name);
        return value == null ? null : HeaderText.of(value);
    }

    Map<String, Object> headers() {
        return properties.getHeaders() == null ? Map.of() : properties.getHeaders();
    }

    /** Returns how many deliveries a quorum queue has counted against its delivery limit. */
    long countedDeliveries() {
        return headers().get(DELIVERY_COUNT) instanceof Number count ? count.longValue() : 0;
    }
}
