package io.iocluster.kafka.config;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.utils.Utils;

/**
 * Limits the heap that one poll may use. A fetch is bounded in compressed bytes, and each poll decompresses up to
 * {@code max.poll.records} of it; a batch of a few kilobytes may hold gigabytes. When the poll's budget is used up,
 * deserialization fails, the client returns the records before, and the next poll continues with the same record. A
 * key, a value or headers over the record limit are dropped.
 *
 * <p>The deserializers of keys and values share a budget, because the client does not call a deserializer for null. The
 * first one that sees a record counts its headers. It also copies them, because a header keeps the decompressed record
 * on the heap until it is read. The client calls neither for a record without a key and a value; the headers of such a
 * record are limited after the poll. Confined to the poll thread.
 */
public final class BoundedBytesDeserializer implements Deserializer<byte[]> {

    private final long maxRecordBytes;
    private final Budget budget;

    /** Creates a deserializer of keys with a new budget. */
    public BoundedBytesDeserializer(long maxRecordBytes) {
        this(maxRecordBytes, new Budget());
    }

    private BoundedBytesDeserializer(long maxRecordBytes, Budget budget) {
        this.maxRecordBytes = maxRecordBytes;
        this.budget = budget;
    }

    /** Returns the deserializer of the values of the same records. */
    public BoundedBytesDeserializer ofValues() {
        return new BoundedBytesDeserializer(maxRecordBytes, budget);
    }

    /** Sets the maximum bytes that the next poll returns. It returns at least one record. */
    public void setPollBudget(long bytes) {
        budget.bytes = bytes;
        budget.used = 0;
        budget.current = null;
    }

    @Override
    public byte[] deserialize(String topic, byte[] data) {
        return data;
    }

    @Override
    public byte[] deserialize(String topic, Headers headers, ByteBuffer data) {
        if (headers != budget.current) {
            budget.next(headers);
            budget.use(RecordSize.OVERHEAD + keepHeaders(headers));
        }
        if (data == null || data.remaining() > maxRecordBytes) {
            return null;
        }
        budget.use(data.remaining());
        return Utils.toArray(data);
    }

    /** Drops the headers of a record with neither a key nor a value if they exceed the limit. */
    public void limitHeadersOfEmptyRecord(ConsumerRecord<byte[], byte[]> message) {
        if (message.serializedKeySize() < 0 && message.serializedValueSize() < 0) {
            keepHeaders(message.headers());
        }
    }

    /** Replaces headers over the limit by {@link Dropped}. Returns the bytes of the headers that are kept. */
    private long keepHeaders(Headers headers) {
        long bytes = RecordSize.of(headers);
        if (bytes <= maxRecordBytes) {
            return bytes;
        }
        for (Header header : headers.toArray()) {
            headers.remove(header.key());
        }
        headers.add(new Dropped(bytes));
        return 0;
    }

    /** Returns why the record is incomplete, as human-readable text; null if it is complete. */
    public static String problem(ConsumerRecord<byte[], byte[]> message) {
        if (message.value() == null && message.serializedValueSize() > 0) {
            return problem("value has", message.serializedValueSize(), message);
        }
        if (message.key() == null && message.serializedKeySize() > 0) {
            return problem("key has", message.serializedKeySize(), message);
        }
        for (Header header : message.headers()) {
            if (header instanceof Dropped dropped) {
                return problem("headers have", dropped.bytes(), message);
            }
        }
        return null;
    }

    private static String problem(String part, long size, ConsumerRecord<byte[], byte[]> message) {
        return "the record's " + part + " " + size + " bytes, more than kafka.requests.max-message-size;"
                + " the original record is at " + message.topic() + "/" + message.partition() + "/" + message.offset();
    }

    /** Bytes that one poll may return, and the bytes used so far. */
    private static final class Budget {
        private long bytes = Long.MAX_VALUE;
        private long used;
        /** Bytes used by the records before the current one. */
        private long before;
        /** The headers of the current record; the client passes the same object to both deserializers. */
        private Headers current;

        void next(Headers headers) {
            current = headers;
            before = used;
        }

        void use(long more) {
            if (before > 0 && used + more > bytes) {
                throw new SerializationException("the poll's budget of " + bytes + " bytes is used up");
            }
            used += more;
        }
    }

    /**
     * Placeholder for headers that exceeded the limit.
     *
     * @param bytes size of the dropped headers
     */
    private record Dropped(long bytes) implements Header {

        @Override
        public String key() {
            return "iocluster-headers-size";
        }

        @Override
        public byte[] value() {
            return Long.toString(bytes).getBytes(StandardCharsets.US_ASCII);
        }
    }
}
