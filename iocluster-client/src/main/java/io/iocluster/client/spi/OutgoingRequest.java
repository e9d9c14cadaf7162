package io.iocluster.client.spi;

import java.time.Duration;
import java.util.Map;

/**
 * An encoded envelope with its message properties.
 *
 * @param envelope the encoded envelope; callers never write to the array again
 * @param key the Kafka record key or AMQP correlation id; null for none
 * @param headers the headers of the message, not of the HTTP call
 * @param expiry how long the message may stay on the queue; null for unlimited. Only for brokers that expire messages
 */
public record OutgoingRequest(byte[] envelope, String key, Map<String, String> headers, Duration expiry) {

    public OutgoingRequest {
        headers = Map.copyOf(headers);
    }

    /** Returns an envelope without key, headers and expiry. */
    public static OutgoingRequest of(byte[] envelope) {
        return new OutgoingRequest(envelope, null, Map.of(), null);
    }
}
