package io.iocluster.kafka.share;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.AcknowledgementCommitCallback;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.ShareConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.metrics.KafkaMetric;

/** Records acknowledgements. Like the real client, it accepts none for a record that it has lost. Confined to the test's thread. */
final class FakeShareConsumer implements ShareConsumer<byte[], byte[]> {

    /** The acknowledgements in their order, such as {@code ACCEPT 7}. */
    final List<String> acknowledged = new ArrayList<>();

    /** Offsets of records that the client has lost. */
    final Set<Long> lost = new HashSet<>();

    @Override
    public void acknowledge(ConsumerRecord<byte[], byte[]> message, AcknowledgeType type) {
        if (lost.contains(message.offset())) {
            throw new IllegalStateException("The record cannot be acknowledged.");
        }
        acknowledged.add(type.name() + " " + message.offset());
    }

    @Override
    public void acknowledge(ConsumerRecord<byte[], byte[]> message) {
        acknowledge(message, AcknowledgeType.ACCEPT);
    }

    @Override
    public void acknowledge(String topic, int partition, long offset, AcknowledgeType type) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Set<String> subscription() {
        return Set.of();
    }

    @Override
    public void subscribe(Collection<String> topics) {}

    @Override
    public void unsubscribe() {}

    @Override
    public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
        return ConsumerRecords.empty();
    }

    @Override
    public Map<TopicIdPartition, Optional<KafkaException>> commitSync() {
        return Map.of();
    }

    @Override
    public Map<TopicIdPartition, Optional<KafkaException>> commitSync(Duration timeout) {
        return Map.of();
    }

    @Override
    public void commitAsync() {}

    @Override
    public void setAcknowledgementCommitCallback(AcknowledgementCommitCallback callback) {}

    @Override
    public Uuid clientInstanceId(Duration timeout) {
        return Uuid.ZERO_UUID;
    }

    @Override
    public Optional<Integer> acquisitionLockTimeoutMs() {
        return Optional.empty();
    }

    @Override
    public Map<MetricName, ? extends Metric> metrics() {
        return new LinkedHashMap<>();
    }

    @Override
    public void registerMetricForSubscription(KafkaMetric metric) {}

    @Override
    public void unregisterMetricFromSubscription(KafkaMetric metric) {}

    @Override
    public void close() {}

    @Override
    public void close(Duration timeout) {}

    @Override
    public void wakeup() {}
}
