package io.iocluster.client.spi;

import java.time.Duration;
import java.util.Map;

/**
 * An envelope and what travels beside it.
 *
 * @param envelope the encoded envelope; nobody writes to the array again
 * @param key Kafka's key of the record, AMQP's correlation id; null for none
 * @param headers of the message, not of the HTTP call
 * @param expiry how long the message may stand on the queue; null for ever. For brokers that drop what is older
 */
public record OutgoingRequest(byte[] envelope, String key, Map<String, String> headers, Duration expiry) {

    public OutgoingRequest {
        headers = Map.copyOf(headers);
    }

    /** An envelope and nothing beside it. */
    public static OutgoingRequest of(byte[] envelope) {
        return new OutgoingRequest(envelope, null, Map.of(), null);
    }
}
