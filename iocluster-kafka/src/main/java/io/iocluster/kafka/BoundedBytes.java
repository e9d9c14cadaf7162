package io.iocluster.kafka;

import java.nio.ByteBuffer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.utils.Utils;

/**
 * Limits what one poll puts on the heap. A fetch is bounded in compressed bytes, and each poll decompresses up to {@code
 * max.poll.records} of it; a batch of a few kilobytes may hold gigabytes. When the poll's budget is used up, deserialization fails,
 * the client returns the records before, and the next poll continues with the same record. A value over the record limit is not
 * copied. Confined to the thread that polls.
 */
final class BoundedBytes implements Deserializer<byte[]> {

    private final long maxRecordBytes;
    private long budget = Long.MAX_VALUE;
    private long taken;

    BoundedBytes(long maxRecordBytes) {
        this.maxRecordBytes = maxRecordBytes;
    }

    /** Sets the most bytes that the next poll returns; it returns at least one record. */
    void allow(long bytes) {
        budget = bytes;
        taken = 0;
    }

    @Override
    public byte[] deserialize(String topic, byte[] data) {
        return data;
    }

    @Override
    public byte[] deserialize(String topic, Headers headers, ByteBuffer data) {
        if (data == null || data.remaining() > maxRecordBytes) {
            return null;
        }
        if (taken > 0 && taken + data.remaining() > budget) {
            throw new SerializationException("the poll's budget of " + budget + " bytes is used up");
        }
        taken += data.remaining();
        return Utils.toArray(data);
    }

    /** Returns why a record that was read with this deserializer is incomplete, or null. */
    static String problem(ConsumerRecord<byte[], byte[]> message) {
        if (message.value() == null && message.serializedValueSize() > 0) {
            return problem("value", message.serializedValueSize(), message);
        }
        return message.key() == null && message.serializedKeySize() > 0
                ? problem("key", message.serializedKeySize(), message)
                : null;
    }

    private static String problem(String part, int size, ConsumerRecord<byte[], byte[]> message) {
        return "the record's " + part + " has " + size + " bytes, over kafka.requests.max-message-size; it stays at "
                + message.topic() + "/" + message.partition() + "/" + message.offset();
    }
}
