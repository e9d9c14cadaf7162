package io.iocluster.kafka.ledger;

import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Creates records without a broker. */
public final class TestRecords {

    private TestRecords() {}

    public static ConsumerRecord<byte[], byte[]> message(String topic, int partition, long offset, String key) {
        return new ConsumerRecord<>(
                topic, partition, offset, key == null ? null : bytes(key), bytes("value " + offset));
    }

    public static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
