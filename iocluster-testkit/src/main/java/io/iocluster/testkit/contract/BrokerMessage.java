package io.iocluster.testkit.contract;

import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * An answer or dead letter that the fixture has read from the broker.
 *
 * @param correlationId the Kafka key or the AMQP correlation id, or null
 * @param headers the broker's headers with UTF-8 values
 */
public record BrokerMessage(byte[] payload, String correlationId, Map<String, String> headers) {

    public BrokerMessage {
        headers = Map.copyOf(headers);
    }

    /** Returns the payload as UTF-8 text. */
    public String text() {
        return new String(payload, StandardCharsets.UTF_8);
    }
}
