package io.iocluster.testkit.contract;

import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * A message as the fixture read it back from an answer's place or the dead letters.
 *
 * @param correlation the Kafka key or the AMQP correlation id, or null
 * @param headers the broker's headers, values read as UTF-8
 */
public record BrokerMessage(byte[] payload, String correlationId, Map<String, String> headers) {

    public BrokerMessage {
        headers = Map.copyOf(headers);
    }

    /** The payload as UTF-8. */
    public String text() {
        return new String(payload, StandardCharsets.UTF_8);
    }
}
