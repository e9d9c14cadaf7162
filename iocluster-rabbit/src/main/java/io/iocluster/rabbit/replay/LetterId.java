package io.iocluster.rabbit.replay;

import com.rabbitmq.client.AMQP.BasicProperties;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Set;
import java.util.TreeMap;

/**
 * Identifies a dead letter by a hash of its properties, headers and body, because RabbitMQ assigns no ids. The dead letters of a
 * node differ at least in the time of the failure. The hash leaves out what the broker changes with a delivery, and what {@link
 * DeliveryLimit} changes. Stateless.
 */
final class LetterId {

    private static final int BYTES = 12;

    private static final Set<String> CHANGING = Set.of("x-delivery-count", "x-acquired-count", "CC", "BCC");

    private LetterId() {}

    static String of(BasicProperties properties, byte[] body) {
        MessageDigest digest = sha256();
        add(digest, properties.getContentType());
        add(digest, properties.getContentEncoding());
        add(digest, properties.getCorrelationId());
        add(digest, properties.getReplyTo());
        add(digest, properties.getMessageId());
        add(digest, properties.getTimestamp());
        add(digest, properties.getType());
        add(digest, properties.getAppId());
        add(digest, properties.getPriority());
        if (properties.getHeaders() != null) {
            new TreeMap<>(properties.getHeaders()).forEach((name, value) -> {
                if (!CHANGING.contains(name)) {
                    add(digest, name);
                    add(digest, value);
                }
            });
        }
        add(digest, null);
        digest.update(body);
        return HexFormat.of().formatHex(digest.digest(), 0, BYTES);
    }

    /** Adds the value with its length, so that no two lists of values look the same. */
    private static void add(MessageDigest digest, Object value) {
        byte[] text = value == null ? null : HeaderText.of(value).getBytes(StandardCharsets.UTF_8);
        digest.update(ByteBuffer.allocate(Integer.BYTES)
                .putInt(text == null ? -1 : text.length)
                .flip());
        if (text != null) {
            digest.update(text);
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JVM has SHA-256", impossible);
        }
    }
}
