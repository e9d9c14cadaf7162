package io.iocluster.simulation.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.clients.consumer.OffsetCommitCallback;
import org.apache.kafka.clients.consumer.SubscriptionPattern;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.metrics.KafkaMetric;

/** The methods of a consumer that are variants of others or that nodes do not call. The latter are not supported. */
abstract class ConsumerBase implements Consumer<byte[], byte[]> {

    private static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(1);

    private static UnsupportedOperationException unsupported() {
        return new UnsupportedOperationException("not simulated");
    }

    @Override
    public void subscribe(Collection<String> topics) {
        subscribe(topics, null);
    }

    @Override
    public void subscribe(Pattern pattern, ConsumerRebalanceListener listener) {
        throw unsupported();
    }

    @Override
    public void subscribe(Pattern pattern) {
        throw unsupported();
    }

    @Override
    public void subscribe(SubscriptionPattern pattern, ConsumerRebalanceListener listener) {
        throw unsupported();
    }

    @Override
    public void subscribe(SubscriptionPattern pattern) {
        throw unsupported();
    }

    @Override
    public void unsubscribe() {
        throw unsupported();
    }

    @Override
    public void commitSync() {
        throw unsupported();
    }

    @Override
    public void commitSync(Duration timeout) {
        throw unsupported();
    }

    @Override
    public void commitSync(Map<TopicPartition, OffsetAndMetadata> offsets) {
        commitSync(offsets, DEFAULT_TIMEOUT);
    }

    @Override
    public void commitAsync() {
        throw unsupported();
    }

    @Override
    public void commitAsync(OffsetCommitCallback callback) {
        throw unsupported();
    }

    @Override
    public void registerMetricForSubscription(KafkaMetric metric) {
        throw unsupported();
    }

    @Override
    public void unregisterMetricFromSubscription(KafkaMetric metric) {
        throw unsupported();
    }

    @Override
    public void seek(TopicPartition partition, OffsetAndMetadata offset) {
        seek(partition, offset.offset());
    }

    @Override
    public Map<TopicPartition, OffsetAndMetadata> committed(Set<TopicPartition> partitions) {
        return committed(partitions, DEFAULT_TIMEOUT);
    }

    @Override
    public Uuid clientInstanceId(Duration timeout) {
        throw unsupported();
    }

    @Override
    public Map<MetricName, ? extends Metric> metrics() {
        return Map.of();
    }

    @Override
    public List<PartitionInfo> partitionsFor(String topic) {
        return partitionsFor(topic, DEFAULT_TIMEOUT);
    }

    @Override
    public Map<String, List<PartitionInfo>> listTopics() {
        throw unsupported();
    }

    @Override
    public Map<String, List<PartitionInfo>> listTopics(Duration timeout) {
        throw unsupported();
    }

    @Override
    public Map<TopicPartition, OffsetAndTimestamp> offsetsForTimes(Map<TopicPartition, Long> times) {
        throw unsupported();
    }

    @Override
    public Map<TopicPartition, OffsetAndTimestamp> offsetsForTimes(Map<TopicPartition, Long> times, Duration timeout) {
        throw unsupported();
    }

    @Override
    public Map<TopicPartition, Long> beginningOffsets(Collection<TopicPartition> partitions) {
        return beginningOffsets(partitions, DEFAULT_TIMEOUT);
    }

    @Override
    public Map<TopicPartition, Long> endOffsets(Collection<TopicPartition> partitions) {
        return endOffsets(partitions, DEFAULT_TIMEOUT);
    }

    @Override
    public OptionalLong currentLag(TopicPartition partition) {
        throw unsupported();
    }

    @Override
    public ConsumerGroupMetadata groupMetadata() {
        throw unsupported();
    }

    @Override
    public void enforceRebalance() {
        throw unsupported();
    }

    @Override
    public void enforceRebalance(String reason) {
        throw unsupported();
    }

    @Override
    public void close() {
        close(CloseOptions.timeout(Duration.ofSeconds(30)));
    }

    @Override
    @Deprecated
    public void close(Duration timeout) {
        close(CloseOptions.timeout(timeout));
    }
}
