package io.iocluster.kafka;

import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** A consumer interceptor that counts the records that polls return. */
public final class FetchCounter implements ConsumerInterceptor<byte[], byte[]> {

    public static final AtomicInteger RECORDS = new AtomicInteger();

    @Override
    public ConsumerRecords<byte[], byte[]> onConsume(ConsumerRecords<byte[], byte[]> records) {
        RECORDS.addAndGet(records.count());
        return records;
    }

    @Override
    public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {}

    @Override
    public void configure(Map<String, ?> properties) {}

    @Override
    public void close() {}
}
