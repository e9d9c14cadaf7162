package io.iocluster.pipeline.call;

import io.iocluster.transport.Delivery;
import java.time.Duration;

/** Reads the timestamps of messages. Their senders write them, often in another unit than milliseconds. Stateless. */
public final class MessageTimestamp {

    /** Maximum time by which a sender's clock may be ahead. Kafka's brokers refuse records that are further ahead (KIP-937). */
    private static final long MAX_AHEAD_MILLIS = Duration.ofHours(1).toMillis();

    /** Maximum age of a message. Seconds, or zero, read as milliseconds are a time in 1970. */
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

    /** Returns whether the timestamp cannot be right: more than an hour ahead of the node's clock, or more than ten years old. */
    public static boolean isIgnored(Delivery delivery, long nowMillis) {
        long timestamp = delivery.timestampMillis();
        return timestamp >= 0 && (timestamp > nowMillis + MAX_AHEAD_MILLIS || timestamp < nowMillis - MAX_AGE_MILLIS);
    }
}
