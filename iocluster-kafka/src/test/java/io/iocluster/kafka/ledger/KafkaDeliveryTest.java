package io.iocluster.kafka.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

class KafkaDeliveryTest {

    @Test
    void copiesHeadersSoThatTheFetchIsNotRetained() {
        byte[] fetch = new byte[1_000];
        byte[] text = "keyvalue".getBytes(StandardCharsets.UTF_8);
        System.arraycopy(text, 0, fetch, 0, text.length);
        RecordHeaders headers = new RecordHeaders();
        headers.add(new RecordHeader(
                ByteBuffer.wrap(fetch, 0, 3).slice(),
                ByteBuffer.wrap(fetch, 3, 5).slice()));

        KafkaDelivery delivery = new OffsetDelivery(message(new byte[100], headers), null, null, false, false);

        Arrays.fill(fetch, (byte) 'x');
        assertThat(delivery.header("key")).isEqualTo("value");
    }

    @Test
    void countsKeyValueAndHeaders() {
        RecordHeaders headers = new RecordHeaders();
        long plain = new OffsetDelivery(message(new byte[100], headers), null, null, false, false).heldBytes();
        headers.add("name", new byte[5_000]);

        long withHeader = new OffsetDelivery(message(new byte[100], headers), null, null, false, false).heldBytes();

        assertThat(plain).isBetween(150L, 2_000L);
        assertThat(withHeader - plain).isBetween(5_000L, 5_500L);
    }

    private static ConsumerRecord<byte[], byte[]> message(byte[] value, RecordHeaders headers) {
        return new ConsumerRecord<>(
                "in",
                0,
                7,
                0,
                TimestampType.CREATE_TIME,
                50,
                value.length,
                new byte[50],
                value,
                headers,
                Optional.empty());
    }
}
