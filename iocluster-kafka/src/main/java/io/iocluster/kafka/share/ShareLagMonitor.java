package io.iocluster.kafka.share;

import io.iocluster.kafka.config.KafkaConnections;
import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.kafka.ledger.EndOffsetHistory;
import io.iocluster.kafka.loop.BrokerMonitor;
import io.iocluster.transport.SourceStatus.Lag;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.ListShareGroupOffsetsSpec;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.SharePartitionOffsetInfo;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Periodically queries how many messages of each partition the share group has not settled. Every node queries all
 * partitions, because they belong to no node. Confined to its thread, except {@link #lags}.
 */
final class ShareLagMonitor extends BrokerMonitor {

    private static final Logger LOG = LoggerFactory.getLogger(ShareLagMonitor.class);

    private final KafkaSettings settings;
    private final String group;
    private final IsolationLevel isolation;
    private final Map<TopicPartition, PartitionHistory> histories = new HashMap<>();
    private volatile List<PartitionLag> last = List.of();

    /** @param sinceNanos monotonic nanoseconds since which the oldest message is known to wait; 0 if there is none */
    private record PartitionLag(TopicPartition id, long messages, long sinceNanos) {}

    /** End offsets that were seen, and when the first query started. */
    private static final class PartitionHistory {
        private final EndOffsetHistory ends = new EndOffsetHistory();
        private final long created;

        PartitionHistory(long created) {
            this.created = created;
        }
    }

    ShareLagMonitor(KafkaConnections connections) {
        super(LOG, connections);
        this.settings = connections.settings();
        this.group = settings.requests().group();
        this.isolation = connections.properties().isReadCommitted()
                ? IsolationLevel.READ_COMMITTED
                : IsolationLevel.READ_UNCOMMITTED;
    }

    void start() {
        schedule(this::query);
    }

    /** Returns the lag of each topic whose start offsets the group knows. All nodes report the same. Any thread. */
    List<Lag> lags() {
        long now = nanos();
        boolean stale = isStale();
        Map<String, Lag> byTopic = new TreeMap<>();
        for (PartitionLag lag : last) {
            long age = lag.messages() == 0 ? 0 : TimeUnit.NANOSECONDS.toMillis(now - lag.sinceNanos());
            byTopic.merge(
                    lag.id().topic(),
                    new Lag(lag.id().topic(), null, lag.messages(), age, stale),
                    (one, other) -> new Lag(
                            one.queue(),
                            null,
                            one.messages() + other.messages(),
                            Math.max(one.oldestAgeMillis(), other.oldestAgeMillis()),
                            stale));
        }
        return List.copyOf(byTopic.values());
    }

    private String query() throws InterruptedException, ExecutionException, TimeoutException {
        List<TopicPartition> partitions = partitions();
        if (partitions.isEmpty()) {
            return "Not all consumed topics exist: " + settings.consumedTopics();
        }
        long asked = nanos();
        Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
        partitions.forEach(partition -> latest.put(partition, OffsetSpec.latest()));
        ListOffsetsResult ends = admin().listOffsets(latest, new ListOffsetsOptions(isolation));
        Map<TopicPartition, SharePartitionOffsetInfo> starts = starts(partitions);
        List<PartitionLag> lags = new ArrayList<>();
        for (TopicPartition partition : partitions) {
            long end = await(ends.partitionResult(partition)).offset();
            PartitionHistory history = histories.computeIfAbsent(partition, id -> new PartitionHistory(asked));
            history.ends.add(end, asked);
            SharePartitionOffsetInfo start = starts.get(partition);
            if (start != null && start.startOffset() >= 0) {
                lags.add(lag(partition, start, end, history, nanos()));
            }
        }
        last = lags;
        return null;
    }

    private static PartitionLag lag(
            TopicPartition partition, SharePartitionOffsetInfo start, long end, PartitionHistory history, long now) {
        long messages = start.lag().filter(lag -> lag >= 0).orElse(Math.max(0, end - start.startOffset()));
        long age = history.ends.maxAgeNanos(start.startOffset(), now);
        // A message that was there before the first query is at least as old as that query.
        return new PartitionLag(partition, messages, age == Long.MAX_VALUE ? history.created : now - age);
    }

    /** Returns the partitions of the consumed topics, or none if a topic does not exist. */
    private List<TopicPartition> partitions() throws InterruptedException, ExecutionException, TimeoutException {
        List<TopicPartition> partitions = new ArrayList<>();
        for (KafkaFuture<TopicDescription> topic : admin().describeTopics(settings.consumedTopics())
                .topicNameValues()
                .values()) {
            try {
                TopicDescription found = await(topic);
                found.partitions().forEach(each -> partitions.add(new TopicPartition(found.name(), each.partition())));
            } catch (ExecutionException failed) {
                if (failed.getCause() instanceof UnknownTopicOrPartitionException) {
                    return List.of();
                }
                throw failed;
            }
        }
        return partitions;
    }

    private Map<TopicPartition, SharePartitionOffsetInfo> starts(List<TopicPartition> partitions)
            throws InterruptedException, ExecutionException, TimeoutException {
        Admin admin = admin();
        ListShareGroupOffsetsSpec spec = new ListShareGroupOffsetsSpec().topicPartitions(partitions);
        try {
            return await(admin.listShareGroupOffsets(Map.of(group, spec)).partitionsToOffsetInfo(group));
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof GroupIdNotFoundException) {
                return Map.of(); // No member has joined yet.
            }
            throw failed;
        }
    }
}
