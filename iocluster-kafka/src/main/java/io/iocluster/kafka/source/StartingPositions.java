package io.iocluster.kafka.source;

import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.kafka.ledger.ClusterTopicId;
import io.iocluster.kafka.ledger.CommitMetadata;
import io.iocluster.kafka.ledger.KafkaPartition;
import io.iocluster.kafka.ledger.OrphanedCalls;
import io.iocluster.thread.Platform;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.NoOffsetForPartitionException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Determines where partitions start: at their committed offset if it belongs to the current topic of that name,
 * otherwise where the settings say. Confined to the poll thread.
 */
final class StartingPositions {

    private static final Logger LOG = LoggerFactory.getLogger(StartingPositions.class);
    private static final Duration COMMITTED_WITHIN = Duration.ofSeconds(5);
    /** How long the first start after an assignment waits for the topic ids. */
    private static final Duration FIRST_WAIT = Duration.ofMillis(200);

    private static final long RETRY_NANOS = Duration.ofSeconds(1).toNanos();
    private static final int[] NOTHING_DONE = {};
    private static final int MAX_LOGGED = 20;

    private final KafkaSettings settings;
    private final Platform platform;
    private final TopicQueries queries;
    private final OrphanedCalls orphans;
    /** The last known topic id of each topic. */
    private final Map<String, ClusterTopicId> known = new HashMap<>();

    private final InitialPartitionCounts initialCounts;
    /** Pending offset requests of partitions without a committed offset. */
    private final Map<KafkaPartition, Start> pending = new HashMap<>();

    private CompletableFuture<Map<String, DescribedTopic>> requested;
    private long requestedAt;
    private long nextWaitNanos;
    private Map<String, DescribedTopic> seen = Map.of();
    private long unreadableCommitMetadata;

    /** A request for the first or the end offset of a partition. */
    private record Start(OffsetSpec end, CompletableFuture<Long> offset, long requestedAt) {

        boolean isFailedAndOlderThan(long nanos, long now) {
            return offset.isCompletedExceptionally() && now - requestedAt > nanos;
        }
    }

    StartingPositions(KafkaSettings settings, TopicQueries queries, OrphanedCalls orphans, Platform platform) {
        this.platform = platform;
        this.settings = settings;
        this.queries = queries;
        this.initialCounts = new InitialPartitionCounts(settings);
        this.orphans = orphans;
    }

    /** Requests the topic ids again after an assignment, because an earlier result may be of an older topic. */
    void partitionsAssigned() {
        requestTopics();
        nextWaitNanos = FIRST_WAIT.toNanos();
    }

    private void requestTopics() {
        requested = queries.requestTopics();
        requestedAt = platform.nanos();
    }

    /**
     * Starts the partitions whose positions are known. Makes a constant number of requests for any number of
     * partitions, and does not wait for offsets.
     *
     * @return how many partitions are not started
     */
    int startPartitions(Consumer<?, ?> consumer, KafkaPartition[] partitions) {
        List<KafkaPartition> unknown = new ArrayList<>();
        for (KafkaPartition partition : partitions) {
            if (!partition.hasTopicId()) {
                unknown.add(partition);
            }
        }
        if (!unknown.isEmpty()) {
            lookUp(consumer, unknown);
        }
        seekStarts(consumer);
        int notStarted = 0;
        for (KafkaPartition partition : partitions) {
            notStarted += partition.isStarted() ? 0 : 1;
        }
        return notStarted;
    }

    private void lookUp(Consumer<?, ?> consumer, List<KafkaPartition> unknown) {
        Map<String, DescribedTopic> topics = describedTopics();
        Set<TopicPartition> ids = new HashSet<>();
        for (KafkaPartition partition : unknown) {
            if (topics.containsKey(partition.id().topic())) {
                ids.add(partition.id());
            }
        }
        if (ids.isEmpty()) {
            return;
        }
        Map<TopicPartition, OffsetAndMetadata> committed = consumer.committed(ids, COMMITTED_WITHIN);
        List<KafkaPartition> uncommitted = new ArrayList<>();
        List<String> resumed = new ArrayList<>();
        List<String> foreign = new ArrayList<>();
        for (KafkaPartition partition : unknown) {
            DescribedTopic topic = topics.get(partition.id().topic());
            OffsetAndMetadata position = committed.get(partition.id());
            if (topic != null && position == null) {
                uncommitted.add(partition);
            } else if (topic != null) {
                resume(consumer, partition, topic.topicId(), position);
                String start = partition.id() + "@" + position.offset();
                resumed.add(start);
                if (position.offset() > 0 && position.metadata().isEmpty()) {
                    foreign.add(start);
                }
            }
        }
        logStarts(resumed, foreign);
        start(consumer, uncommitted, topics);
        topics.forEach((name, topic) -> known.put(name, topic.topicId()));
    }

    /** A node commits metadata with each offset, so another program has set an offset that has none, maybe by mistake. */
    private static void logStarts(List<String> resumed, List<String> foreign) {
        if (!resumed.isEmpty()) {
            LOG.info(
                    "Partitions start at their committed offsets partitions={} starts={}",
                    resumed.size(),
                    few(resumed));
        }
        if (!foreign.isEmpty()) {
            LOG.warn(
                    "Offsets were set by another program; calls of records that were read before are made again"
                            + " partitions={} starts={}",
                    foreign.size(),
                    few(foreign));
        }
    }

    private static List<String> few(List<String> starts) {
        return starts.subList(0, Math.min(MAX_LOGGED, starts.size()));
    }

    /** Returns the topics by name; empty if the broker has not described them since the assignment. */
    private Map<String, DescribedTopic> describedTopics() {
        long wait = nextWaitNanos;
        nextWaitNanos = 0;
        try {
            if (!platform.await(requested, Duration.ofNanos(wait))) {
                return Map.of();
            }
            requested.get();
            return queries.latestTopics();
        } catch (ExecutionException unreachable) {
            LOG.debug("Topics not described", unreachable);
            if (platform.nanos() - requestedAt > RETRY_NANOS) {
                requestTopics();
            }
            return Map.of();
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
            return Map.of();
        }
    }

    private void resume(
            Consumer<?, ?> consumer, KafkaPartition partition, ClusterTopicId topicId, OffsetAndMetadata committed) {
        TopicPartition id = partition.id();
        CommitMetadata.DecodedMetadata found = CommitMetadata.decode(topicId, committed.offset(), committed.metadata());
        if (found instanceof CommitMetadata.RecreatedTopic) {
            LOG.warn("Topic recreated; reading from the beginning partition={} committed={}", id, committed.offset());
            consumer.seekToBeginning(List.of(id));
            partition.setTopicId(topicId, 0);
            await(Map.of(partition, OffsetSpec.earliest()));
            return;
        }
        if (found instanceof CommitMetadata.UnreadableMetadata) {
            unreadableCommitMetadata++;
            LOG.warn(
                    "Commit metadata is unreadable; records settled above the offset are redelivered partition={}", id);
        }
        consumer.seek(id, committed.offset());
        partition.start(
                committed.offset(), found instanceof CommitMetadata.CompletedOffsets done ? done.runs() : NOTHING_DONE);
        orphans.discardBelow(id, committed.offset());
        initialCounts.recordCommit(id.topic(), topicId, found);
        partition.setTopicId(topicId, initialCounts.initialPartitions(id.topic(), topicId));
    }

    /** Starts partitions without a committed offset. */
    private void start(Consumer<?, ?> consumer, List<KafkaPartition> uncommitted, Map<String, DescribedTopic> topics) {
        for (KafkaPartition partition : uncommitted) {
            ClusterTopicId before = known.get(partition.id().topic());
            ClusterTopicId topicId = topics.get(partition.id().topic()).topicId();
            if (before != null && before.isReplacedBy(topicId)) {
                // All records since the topic was recreated are unread.
                initialCounts.recordStartAtBeginning(partition.id().topic(), topicId);
            }
        }
        initialCounts.load(consumer, uncommitted, topics);
        Map<KafkaPartition, OffsetSpec> starts = new HashMap<>();
        for (KafkaPartition partition : uncommitted) {
            ClusterTopicId topicId = topics.get(partition.id().topic()).topicId();
            int initial = initialCounts.initialPartitions(partition.id().topic(), topicId);
            boolean isNew = partition.id().partition() >= initial;
            if (isNew) {
                consumer.seekToBeginning(List.of(partition.id()));
            } else {
                consumer.seekToEnd(List.of(partition.id()));
            }
            starts.put(partition, isNew ? OffsetSpec.earliest() : OffsetSpec.latest());
            partition.setTopicId(topicId, initial);
        }
        await(starts);
    }

    private void await(Map<KafkaPartition, OffsetSpec> starts) {
        if (starts.isEmpty()) {
            return;
        }
        Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
        starts.forEach((partition, end) -> ends.put(partition.id(), end));
        Map<TopicPartition, CompletableFuture<Long>> offsets = queries.requestOffsets(ends);
        long now = platform.nanos();
        starts.forEach((partition, end) -> pending.put(partition, new Start(end, offsets.get(partition.id()), now)));
    }

    /** Starts the partitions whose requested offset has arrived, and retries failed requests. */
    private void seekStarts(Consumer<?, ?> consumer) {
        Map<KafkaPartition, OffsetSpec> failed = new HashMap<>();
        pending.entrySet().removeIf(each -> {
            KafkaPartition partition = each.getKey();
            Start start = each.getValue();
            if (partition.isClosed() || partition.isStarted()) {
                return true;
            }
            if (start.isFailedAndOlderThan(RETRY_NANOS, platform.nanos())) {
                failed.put(partition, start.end());
                return true;
            }
            if (!start.offset().isDone() || start.offset().isCompletedExceptionally()) {
                return false;
            }
            long offset = start.offset().join();
            consumer.seek(partition.id(), offset);
            partition.start(offset, NOTHING_DONE);
            // Committed at once, because a group that starts at `latest` must not skip records while it is down.
            partition.dirty = true;
            return true;
        });
        await(failed);
    }

    /** Seeks to a valid offset, because a position is outside its log. */
    void resetInvalidPositions(
            Consumer<?, ?> consumer, InvalidOffsetException invalid, Map<TopicPartition, KafkaPartition> assigned) {
        for (TopicPartition id : invalid.partitions()) {
            if (invalid instanceof NoOffsetForPartitionException) {
                seekToPosition(consumer, assigned.get(id));
                continue;
            }
            if (invalid instanceof LogTruncationException truncation
                    && truncation.divergentOffsets().containsKey(id)) {
                consumer.seek(id, truncation.divergentOffsets().get(id).offset());
            } else {
                // All records of the log may be unread, because its start was deleted or the topic was recreated.
                consumer.seekToBeginning(List.of(id));
            }
            LOG.warn(
                    "Position is outside the log; reading from its start or the point of divergence partition={}"
                            + " error={}",
                    id,
                    invalid.getMessage());
        }
    }

    /**
     * Restores the position of a started partition. The consumer may report that nothing is committed even after a
     * seek. {@link #startPartitions} handles a partition that is not started.
     */
    private static void seekToPosition(Consumer<?, ?> consumer, KafkaPartition partition) {
        if (partition != null && partition.isStarted()) {
            consumer.seek(partition.id(), partition.ledger().position());
        }
    }

    /** Returns the partitions whose topic was recreated since they were started. */
    List<KafkaPartition> recreatedPartitions(KafkaPartition[] partitions) {
        Map<String, DescribedTopic> latest = queries.latestTopics();
        if (latest == seen) {
            return List.of();
        }
        seen = latest;
        List<KafkaPartition> recreated = new ArrayList<>();
        for (KafkaPartition partition : partitions) {
            DescribedTopic now = latest.get(partition.id().topic());
            if (now != null && partition.hasTopicId() && partition.topicId().isReplacedBy(now.topicId())) {
                recreated.add(partition);
            }
        }
        return recreated;
    }

    /** Makes a partition of a recreated topic start at its beginning. */
    void seekToBeginning(Consumer<?, ?> consumer, KafkaPartition partition) {
        ClusterTopicId topicId = seen.get(partition.id().topic()).topicId();
        known.put(partition.id().topic(), topicId);
        initialCounts.recordStartAtBeginning(partition.id().topic(), topicId);
        consumer.seekToBeginning(List.of(partition.id()));
        partition.setTopicId(topicId, 0);
        await(Map.of(partition, OffsetSpec.earliest()));
    }

    /** Returns how many commits had unreadable metadata. */
    long unreadableCommitMetadata() {
        return unreadableCommitMetadata;
    }
}
