package io.iocluster.rabbit.connection;

import com.rabbitmq.client.AMQP.BasicProperties;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Derives an id from the content of a message; it is the same for each redelivery. Stateless. */
public final class ContentId {

    private static final int BYTES = 12;

    private ContentId() {}

    public static String of(BasicProperties properties, byte[] body) {
        MessageDigest digest = sha256();
        String identifying = properties.getCorrelationId() + "\n" + properties.getTimestamp() + "\n";
        digest.update(identifying.getBytes(StandardCharsets.UTF_8));
        digest.update(body);
        return HexFormat.of().formatHex(digest.digest(), 0, BYTES);
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JVM has SHA-256", impossible);
        }
    }
}
