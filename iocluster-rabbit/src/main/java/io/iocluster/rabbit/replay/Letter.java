package io.iocluster.rabbit.replay;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.iocluster.transport.deadletter.DeadLetter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A message of the dead-letter queue. Immutable.
 *
 * @param id the same in each delivery
 * @param isUnique whether another message with this id is a duplicate of this dead letter; otherwise it may be an equal request
 * @param content null if neither a node nor the request queue made it a dead letter
 */
record Letter(Message message, String id, boolean isUnique, DeadLetter content) {

    private static final String DEATHS = "x-death";

    /** Reads a message of the dead-letter queue. */
    static Letter of(Message message, String queue, String requestQueue) {
        String id = LetterId.of(message.properties(), message.body());
        Map<String, String> headers = new LinkedHashMap<>();
        message.headers().forEach((name, value) -> headers.put(name, HeaderText.of(value)));
        boolean isUnique = DeadLetter.isDeadLetter(headers);
        Map<?, ?> death = lastDeath(message);
        if (!isUnique && requestQueue.equals(text(death, "queue"))) {
            describe(death, message.properties(), headers);
        }
        addProperties(message.properties(), headers);
        return new Letter(
                message,
                id,
                isUnique,
                DeadLetter.isDeadLetter(headers) ? new DeadLetter(queue + "/" + id, headers, message.body()) : null);
    }

    /** Returns how the broker dead-lettered the message last; empty if it did not. */
    private static Map<?, ?> lastDeath(Message message) {
        return message.headers().get(DEATHS) instanceof List<?> deaths
                        && !deaths.isEmpty()
                        && deaths.get(0) instanceof Map<?, ?> latest
                ? latest
                : Map.of();
    }

    private static String text(Map<?, ?> table, String name) {
        Object value = table.get(name);
        return value == null ? null : HeaderText.of(value);
    }

    /** Describes a request that the broker dead-lettered like one of a node. */
    private static void describe(Map<?, ?> death, BasicProperties properties, Map<String, String> headers) {
        String reason = String.valueOf(text(death, "reason"));
        headers.put("iocluster-error-code", "broker-" + reason.replace('_', '-'));
        headers.put("iocluster-error", "the broker dead-lettered the request: " + reason);
        String messageId = properties.getMessageId();
        headers.put("iocluster-source", text(death, "queue") + (messageId == null ? "" : "/" + messageId));
        String time = text(death, "time");
        if (time != null) {
            headers.put("iocluster-failed-at", time);
        }
    }

    private static void addProperties(BasicProperties properties, Map<String, String> headers) {
        add(headers, "correlation_id", properties.getCorrelationId());
        add(headers, "reply_to", properties.getReplyTo());
        add(headers, "message_id", properties.getMessageId());
    }

    private static void add(Map<String, String> headers, String property, String value) {
        if (value != null) {
            headers.putIfAbsent(property, value);
        }
    }
}
