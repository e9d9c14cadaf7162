package io.iocluster.kafka.source;

import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.kafka.ledger.ClusterTopicId;
import io.iocluster.kafka.ledger.CommitMetadata;
import io.iocluster.kafka.ledger.KafkaPartition;
import io.iocluster.kafka.ledger.OrphanedCalls;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
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
 * Finds where partitions begin: at their committed position if it is of the log that stands behind the name now, or where
 * the settings say. Confined to the poll thread.
 */
final class StartingPositions {

    private static final Logger LOG = LoggerFactory.getLogger(StartingPositions.class);
    private static final Duration COMMITTED_WITHIN = Duration.ofSeconds(5);
    private static final Duration MOMENT = Duration.ofMillis(200);
    private static final long ASK_AGAIN_NANOS = Duration.ofSeconds(1).toNanos();
    private static final int[] NOTHING_DONE = {};

    private final KafkaSettings settings;
    private final TopicQueries queries;
    private final OrphanedCalls orphans;
    /** The log behind each name as this node knew it last. */
    private final Map<String, ClusterTopicId> known = new HashMap<>();

    private final InitialPartitionCounts groupStarts;
    /** Where partitions without a committed position start. */
    private final Map<KafkaPartition, Start> pending = new HashMap<>();

    private CompletableFuture<Map<String, DescribedTopic>> asked;
    private long askedAt;
    private long patienceNanos;
    private Map<String, DescribedTopic> seen = Map.of();
    private long unreadableCommitMetadata;

    /** A request to the broker for one end of a log. */
    private record Start(OffsetSpec end, CompletableFuture<Long> offset, long askedAt) {

        boolean isFailedSince(long nanos) {
            return offset.isCompletedExceptionally() && System.nanoTime() - askedAt > nanos;
        }
    }

    StartingPositions(KafkaSettings settings, TopicQueries queries, OrphanedCalls orphans) {
        this.settings = settings;
        this.queries = queries;
        this.groupStarts = new InitialPartitionCounts(settings);
        this.orphans = orphans;
    }

    /** Partitions were assigned: which logs they are is asked anew, for an older answer may be of older logs. */
    void partitionsAssigned() {
        ask();
        patienceNanos = MOMENT.toNanos();
    }

    private void ask() {
        asked = queries.requestTopics();
        askedAt = System.nanoTime();
    }

    /**
     * Starts the partitions whose positions the broker has reported. Makes the same few requests for any number of
     * partitions, and does not wait for the results.
     *
     * @return how many have not begun
     */
    int startPartitions(Consumer<?, ?> consumer, KafkaPartition[] partitions) {
        List<KafkaPartition> unknown = new ArrayList<>();
        for (KafkaPartition partition : partitions) {
            if (!partition.hasTopicId()) {
                unknown.add(partition);
            }
        }
        if (!unknown.isEmpty()) {
            find(consumer, unknown);
        }
        seekStarts(consumer);
        int beginning = 0;
        for (KafkaPartition partition : partitions) {
            beginning += partition.isStarted() ? 0 : 1;
        }
        return beginning;
    }

    private void find(Consumer<?, ?> consumer, List<KafkaPartition> unknown) {
        Map<String, DescribedTopic> logs = logs();
        Set<TopicPartition> ids = new HashSet<>();
        for (KafkaPartition partition : unknown) {
            if (logs.containsKey(partition.id().topic())) {
                ids.add(partition.id());
            }
        }
        if (ids.isEmpty()) {
            return;
        }
        Map<TopicPartition, OffsetAndMetadata> committed = consumer.committed(ids, COMMITTED_WITHIN);
        List<KafkaPartition> uncommitted = new ArrayList<>();
        for (KafkaPartition partition : unknown) {
            DescribedTopic log = logs.get(partition.id().topic());
            OffsetAndMetadata position = committed.get(partition.id());
            if (log != null && position == null) {
                uncommitted.add(partition);
            } else if (log != null) {
                resume(consumer, partition, log.topicId(), position);
            }
        }
        start(consumer, uncommitted, logs);
        logs.forEach((topic, log) -> known.put(topic, log.topicId()));
    }

    /** Which logs stand behind the names; nothing if the broker has not said so since the assignment. */
    private Map<String, DescribedTopic> logs() {
        long patience = patienceNanos;
        patienceNanos = 0;
        try {
            asked.get(patience, TimeUnit.NANOSECONDS);
            return queries.latestTopics();
        } catch (java.util.concurrent.TimeoutException notYet) {
            return Map.of();
        } catch (ExecutionException away) {
            LOG.debug("The broker does not say which topics it has", away);
            if (System.nanoTime() - askedAt > ASK_AGAIN_NANOS) {
                ask();
            }
            return Map.of();
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
            return Map.of();
        }
    }

    private void resume(
            Consumer<?, ?> consumer, KafkaPartition partition, ClusterTopicId log, OffsetAndMetadata committed) {
        TopicPartition id = partition.id();
        CommitMetadata.DecodedMetadata found = CommitMetadata.decode(log, committed.offset(), committed.metadata());
        if (found instanceof CommitMetadata.RecreatedTopic) {
            LOG.warn("Topic recreated; reading from the beginning partition={} committed={}", id, committed.offset());
            consumer.seekToBeginning(List.of(id));
            partition.setTopicId(log, 0);
            await(Map.of(partition, OffsetSpec.earliest()));
            return;
        }
        if (found instanceof CommitMetadata.UnreadableMetadata) {
            unreadableCommitMetadata++;
            LOG.warn("Commit metadata is unreadable and ignored partition={}", id);
        }
        consumer.seek(id, committed.offset());
        partition.start(
                committed.offset(), found instanceof CommitMetadata.CompletedOffsets done ? done.runs() : NOTHING_DONE);
        orphans.discardBelow(id, committed.offset());
        groupStarts.recordCommit(id.topic(), log, found);
        partition.setTopicId(log, groupStarts.initialPartitions(id.topic(), log));
    }

    /** Starts partitions without a committed position. */
    private void start(Consumer<?, ?> consumer, List<KafkaPartition> uncommitted, Map<String, DescribedTopic> logs) {
        for (KafkaPartition partition : uncommitted) {
            ClusterTopicId before = known.get(partition.id().topic());
            ClusterTopicId log = logs.get(partition.id().topic()).topicId();
            if (before != null && before.isReplacedBy(log)) {
                // All records since the topic was recreated are unread.
                groupStarts.recordStartAtBeginning(partition.id().topic(), log);
            }
        }
        groupStarts.load(consumer, uncommitted, logs);
        Map<KafkaPartition, OffsetSpec> starts = new HashMap<>();
        for (KafkaPartition partition : uncommitted) {
            ClusterTopicId log = logs.get(partition.id().topic()).topicId();
            int from = groupStarts.initialPartitions(partition.id().topic(), log);
            boolean isNew = partition.id().partition() >= from;
            if (isNew) {
                consumer.seekToBeginning(List.of(partition.id()));
            } else {
                consumer.seekToEnd(List.of(partition.id()));
            }
            starts.put(partition, isNew ? OffsetSpec.earliest() : OffsetSpec.latest());
            partition.setTopicId(log, from);
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
        long now = System.nanoTime();
        starts.forEach((partition, end) -> pending.put(partition, new Start(end, offsets.get(partition.id()), now)));
    }

    /** Starts the partitions whose start the broker has reported, and asks again for the others. */
    private void seekStarts(Consumer<?, ?> consumer) {
        Map<KafkaPartition, OffsetSpec> failed = new HashMap<>();
        pending.entrySet().removeIf(each -> {
            KafkaPartition partition = each.getKey();
            Start start = each.getValue();
            if (partition.isClosed() || partition.isStarted()) {
                return true;
            }
            if (start.isFailedSince(ASK_AGAIN_NANOS)) {
                failed.put(partition, start.end());
                return true;
            }
            if (!start.offset().isDone() || start.offset().isCompletedExceptionally()) {
                return false;
            }
            long offset = start.offset().join();
            consumer.seek(partition.id(), offset);
            partition.start(offset, NOTHING_DONE);
            // Committed at once, because a group with start `latest` must not skip records while it is down.
            partition.dirty = true;
            return true;
        });
        await(failed);
    }

    /** Goes on where the log still is, when a position is not in it any more. */
    void resetInvalidPositions(
            Consumer<?, ?> consumer, InvalidOffsetException invalid, Map<TopicPartition, KafkaPartition> assigned) {
        for (TopicPartition id : invalid.partitions()) {
            if (invalid instanceof NoOffsetForPartitionException) {
                goOn(consumer, assigned.get(id));
                continue;
            }
            if (invalid instanceof LogTruncationException truncation
                    && truncation.divergentOffsets().containsKey(id)) {
                consumer.seek(id, truncation.divergentOffsets().get(id).offset());
            } else {
                // Whatever the log holds may be unread: it was cut off at the front, or made anew.
                consumer.seekToBeginning(List.of(id));
            }
            LOG.warn("{}: {}; reading goes on where the log begins or parted", id, invalid.getMessage());
        }
    }

    /**
     * The consumer found nothing committed and says so at any later time, even after it was told where to begin: where it
     * stands then, or what {@link #startPartitions} is about to find, holds.
     */
    private static void goOn(Consumer<?, ?> consumer, KafkaPartition partition) {
        if (partition != null && partition.isStarted()) {
            consumer.seek(partition.id(), partition.ledger().position());
        }
    }

    /** Those of the partitions that are of another log by now. */
    List<KafkaPartition> recreatedPartitions(KafkaPartition[] partitions) {
        Map<String, DescribedTopic> latest = queries.latestTopics();
        if (latest == seen) {
            return List.of();
        }
        seen = latest;
        List<KafkaPartition> replaced = new ArrayList<>();
        for (KafkaPartition partition : partitions) {
            DescribedTopic now = latest.get(partition.id().topic());
            if (now != null && partition.hasTopicId() && partition.topicId().isReplacedBy(now.topicId())) {
                replaced.add(partition);
            }
        }
        return replaced;
    }

    /** Lets a partition of a log that was made anew begin where that begins. */
    void seekToBeginning(Consumer<?, ?> consumer, KafkaPartition partition) {
        ClusterTopicId log = seen.get(partition.id().topic()).topicId();
        known.put(partition.id().topic(), log);
        groupStarts.recordStartAtBeginning(partition.id().topic(), log);
        consumer.seekToBeginning(List.of(partition.id()));
        partition.setTopicId(log, 0);
        await(Map.of(partition, OffsetSpec.earliest()));
    }

    /** How many commits were found whose metadata could not be read. */
    long unreadableCommitMetadata() {
        return unreadableCommitMetadata;
    }
}
