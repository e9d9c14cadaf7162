package io.iocluster.kafka.sink;

import io.iocluster.transport.ReservedHeaders;
import io.iocluster.transport.TruncatableMessage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/** Builds the records that a node publishes from the record that it read. Stateless. */
final class OutgoingRecords {

    private static final String HASH = "sha256:";
    private static final int HASH_LENGTH = HASH.length() + 64;

    private OutgoingRecords() {}

    /** Returns a record with the key and the sender's headers, without the node's own. */
    static ProducerRecord<byte[], byte[]> complete(ConsumerRecord<byte[], byte[]> request, String topic, byte[] value) {
        return new ProducerRecord<>(topic, null, request.key(), value, senderHeaders(request.headers()));
    }

    /** Returns a record with the key and no headers. */
    static ProducerRecord<byte[], byte[]> withoutHeaders(
            ConsumerRecord<byte[], byte[]> request, String topic, byte[] value) {
        return new ProducerRecord<>(topic, null, request.key(), value, List.of());
    }

    /** Returns a record with no headers and, if the key is long, with the hash of the key. */
    static ProducerRecord<byte[], byte[]> withoutHeadersAndKey(
            ConsumerRecord<byte[], byte[]> request, String topic, byte[] value) {
        byte[] key = hasLongKey(request)
                ? (HASH + TruncatableMessage.sha256Hex(request.key())).getBytes(StandardCharsets.UTF_8)
                : request.key();
        return new ProducerRecord<>(topic, null, key, value, List.of());
    }

    /** Returns whether the key's hash is shorter than the key. */
    static boolean hasLongKey(ConsumerRecord<byte[], byte[]> request) {
        return request.key() != null && request.key().length > HASH_LENGTH;
    }

    /** Returns whether the sender set any headers. */
    static boolean hasHeaders(ConsumerRecord<byte[], byte[]> request) {
        return request.headers().iterator().hasNext();
    }

    private static Iterable<Header> senderHeaders(Headers headers) {
        for (Header header : headers) {
            if (ReservedHeaders.isReserved(header.key())) {
                List<Header> kept = new ArrayList<>();
                headers.forEach(each -> {
                    if (!ReservedHeaders.isReserved(each.key())) {
                        kept.add(each);
                    }
                });
                return kept;
            }
        }
        return headers;
    }
}
