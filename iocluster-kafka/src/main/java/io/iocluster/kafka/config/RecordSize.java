package io.iocluster.kafka.config;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/** Computes the bytes that a record holds on the heap. Stateless. */
public final class RecordSize {

    /** Heap bytes of a record, its delivery and their strings, without key, value and headers. */
    static final int OVERHEAD = 512;

    private static final int HEADER_OVERHEAD = 128;

    private RecordSize() {}

    /** Returns the heap bytes of a record and its delivery. Copies the headers, see {@link #of(Headers)}. */
    public static long of(ConsumerRecord<byte[], byte[]> message) {
        return OVERHEAD + size(message.key()) + size(message.value()) + of(message.headers());
    }

    /**
     * Returns the heap bytes of headers. Copies each, because the client copies a header's value when it is first read,
     * and until then the header keeps the whole fetch on the heap.
     */
    static long of(Headers headers) {
        long bytes = 0;
        for (Header header : headers) {
            bytes += HEADER_OVERHEAD + 2L * header.key().length() + size(header.value());
        }
        return bytes;
    }

    private static int size(byte[] bytes) {
        return bytes == null ? 0 : bytes.length;
    }
}
