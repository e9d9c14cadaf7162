package io.iocluster.kafka.ledger;

import io.iocluster.kafka.config.KafkaSettings;
import io.iocluster.thread.NodeClock;
import io.iocluster.transport.outage.ProblemLog;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.RetriableCommitFailedException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.OffsetMetadataTooLarge;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.RetriableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits watermarks, with the completed offsets above them as metadata. At most one asynchronous commit is
 * outstanding. Confined to the poll thread.
 */
public final class OffsetCommitter {

    private static final Logger LOG = LoggerFactory.getLogger(OffsetCommitter.class);
    /** Minimum length of metadata, in characters. */
    private static final int MIN_METADATA = 32;

    private final long intervalNanos;
    private final int batchSize;
    private final ProblemLog problem;
    private int completed;
    private long last;
    private Object outstanding;
    /** How many characters of metadata the broker accepts, as learned from its refusals. */
    private int metadataLimit = CommitMetadata.DEFAULT_MAX_CHARACTERS;

    private long truncated;

    /** Creates a committer with nothing outstanding. */
    public OffsetCommitter(KafkaSettings settings, NodeClock clock) {
        this.last = clock.nanos();
        this.problem = ProblemLog.ofBroker(LOG, null, settings.bootstrapServers(), clock);
        this.intervalNanos = settings.commitInterval().toNanos();
        this.batchSize = settings.commitBatchSize();
    }

    /** Counts a settled record towards the next commit. */
    public void recordSettled() {
        completed++;
    }

    /** Forgets the outstanding commit, because its consumer was replaced. */
    public void reset() {
        outstanding = null;
    }

    /**
     * Commits asynchronously if a commit is due and none is outstanding. The callback runs while the consumer polls.
     */
    public void commitIfDue(Consumer<?, ?> consumer, KafkaPartition[] partitions, long now) {
        if (outstanding != null || (completed < batchSize && now - last < intervalNanos)) {
            return;
        }
        last = now;
        completed = 0;
        Map<KafkaPartition, OffsetAndMetadata> positions = uncommitted(Arrays.asList(partitions));
        if (!positions.isEmpty()) {
            Object current = new Object();
            outstanding = current;
            consumer.commitAsync(offsets(positions), (offsets, failure) -> {
                if (outstanding == current) {
                    outstanding = null;
                }
                if (handleResult(positions, failure)) {
                    completed = batchSize;
                }
            });
        }
    }

    /**
     * Commits these partitions and waits. A failure is only logged, because its consequence is redelivery.
     *
     * @return false if nothing can be committed before a poll has completed the rebalance of the consumer's group
     */
    public boolean commitSync(Consumer<?, ?> consumer, Collection<KafkaPartition> partitions, Duration timeout) {
        boolean retry = true;
        Exception failure = null;
        while (retry) {
            Map<KafkaPartition, OffsetAndMetadata> positions = uncommitted(partitions);
            failure = null;
            try {
                if (!positions.isEmpty()) {
                    consumer.commitSync(offsets(positions), timeout);
                }
            } catch (RuntimeException e) {
                failure = e;
            }
            retry = handleResult(positions, failure);
        }
        return !(failure instanceof RebalanceInProgressException);
    }

    /** Handles the result of a commit. Returns whether to retry it at once. */
    private boolean handleResult(Map<KafkaPartition, OffsetAndMetadata> positions, Exception failure) {
        if (failure == null) {
            if (!positions.isEmpty()) {
                problem.clear();
            }
            return false;
        }
        positions.keySet().forEach(partition -> partition.dirty = true);
        if (failure instanceof OffsetMetadataTooLarge) {
            return lowerLimit(positions.values());
        }
        if (failure instanceof RetriableException
                || failure instanceof RetriableCommitFailedException
                || failure instanceof RebalanceInProgressException) {
            LOG.debug("Offset commit failed; retrying later", failure);
        } else {
            problem.raise("Offset commit failed", failure);
        }
        return false;
    }

    /** Lowers the limit, because the broker's {@code offset.metadata.max.bytes} is smaller than the sent metadata. */
    private boolean lowerLimit(Collection<OffsetAndMetadata> offsets) {
        int longest = offsets.stream()
                .mapToInt(position -> position.metadata().length())
                .max()
                .orElse(0);
        if (longest == 0) {
            return false;
        }
        if (longest > metadataLimit) {
            return true;
        }
        metadataLimit = longest / 2 < MIN_METADATA ? 0 : longest / 2;
        LOG.warn(
                "Broker refused commit metadata; more records will be redelivered after a crash; raise"
                        + " offset.metadata.max.bytes on the brokers characters={} limit={} wanted={}",
                longest,
                metadataLimit,
                CommitMetadata.DEFAULT_MAX_CHARACTERS);
        return true;
    }

    /** Returns how many offsets were committed with truncated metadata, because the broker's limit is too small. */
    public long truncatedCommitMetadata() {
        return truncated;
    }

    private Map<KafkaPartition, OffsetAndMetadata> uncommitted(Collection<KafkaPartition> partitions) {
        Map<KafkaPartition, OffsetAndMetadata> positions = new HashMap<>();
        partitions.forEach(partition -> addUncommitted(partition, positions));
        return positions;
    }

    private void addUncommitted(KafkaPartition partition, Map<KafkaPartition, OffsetAndMetadata> positions) {
        if (!partition.dirty || !partition.isStarted()) {
            return;
        }
        partition.dirty = false;
        OffsetLedger ledger = partition.ledger();
        long offset = ledger.watermark();
        if (offset > ledger.frontier()) {
            LOG.error(
                    "Defect: offset is beyond the records that were read; not committed partition={} offset={} read={}",
                    partition,
                    offset,
                    ledger.frontier());
            return;
        }
        positions.put(partition, new OffsetAndMetadata(offset, metadata(partition, offset)));
    }

    private String metadata(KafkaPartition partition, long offset) {
        int[] runs = partition.ledger().completedRuns();
        String whole = CommitMetadata.encode(partition.topicId(), partition.initialPartitions(), offset, runs);
        if (metadataLimit == CommitMetadata.DEFAULT_MAX_CHARACTERS) {
            partition.recordMetadataLength(whole.length());
            return whole;
        }
        // With a small limit, waiting for shorter metadata would pause the partition for a few slow calls; it is
        // truncated instead.
        partition.recordMetadataLength(0);
        if (whole.length() <= metadataLimit) {
            return whole;
        }
        truncated++;
        return CommitMetadata.encode(partition.topicId(), partition.initialPartitions(), offset, runs, metadataLimit);
    }

    private static Map<TopicPartition, OffsetAndMetadata> offsets(Map<KafkaPartition, OffsetAndMetadata> positions) {
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        positions.forEach((partition, offset) -> offsets.put(partition.id(), offset));
        return offsets;
    }
}
