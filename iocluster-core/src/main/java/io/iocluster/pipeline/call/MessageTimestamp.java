package io.iocluster.pipeline.call;

import io.iocluster.transport.Delivery;
import java.time.Duration;

/** Reads the timestamps of messages. Their senders write them, often in another unit than milliseconds. Stateless. */
public final class MessageTimestamp {

    /** Maximum lead of a sender's clock. Kafka's brokers refuse records that are further ahead (KIP-937). */
    private static final long MAX_AHEAD_MILLIS = Duration.ofHours(1).toMillis();

    /** No message is older. A time in seconds, or zero, that is read as milliseconds is in 1970. */
    private static final long MAX_AGE_MILLIS = Duration.ofDays(10 * 365).toMillis();

    private MessageTimestamp() {}

    /**
     * Returns when the message was put on its queue, in epoch milliseconds; negative if the broker does not say, or if the timestamp is
     * {@linkplain #isIgnored ignored}.
     *
     * @param nowMillis the node's clock, in epoch milliseconds
     */
    public static long of(Delivery delivery, long nowMillis) {
        return isIgnored(delivery, nowMillis) ? -1 : delivery.timestampMillis();
    }

    /** Returns whether the message has a timestamp that no clock can have shown: an hour ahead, or ten years old. */
    public static boolean isIgnored(Delivery delivery, long nowMillis) {
        long timestamp = delivery.timestampMillis();
        return timestamp >= 0 && (timestamp > nowMillis + MAX_AHEAD_MILLIS || timestamp < nowMillis - MAX_AGE_MILLIS);
    }
}
