package io.iocluster.kafka.ledger;

import io.iocluster.kafka.config.KafkaSettings;
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
 * Commits watermarks with the map of what is done above them, one commit outstanding at a time. Confined to the poll thread.
 */
public final class OffsetCommitter {

    private static final Logger LOG = LoggerFactory.getLogger(OffsetCommitter.class);
    /** The fewest characters that can hold our metadata. */
    private static final int LEAST_METADATA = 32;

    private final long intervalNanos;
    private final int every;
    private final ProblemLog problem = new ProblemLog(LOG, null);
    private int completed;
    private long last = System.nanoTime();
    private Object outstanding;
    /** How many characters of metadata the broker accepts, as learned from its refusals. */
    private int metadataLimit = CommitMetadata.DEFAULT_MAX_CHARACTERS;

    private long truncated;

    public OffsetCommitter(KafkaSettings settings) {
        this.intervalNanos = settings.commitInterval().toNanos();
        this.every = settings.commitBatchSize();
    }

    public void recordSettled() {
        completed++;
    }

    /** A new consumer: what the old one had outstanding is never heard of again. */
    public void reset() {
        outstanding = null;
    }

    /** Commits if it is time and none is outstanding; the callback comes while the consumer polls. */
    public void commitIfDue(Consumer<?, ?> consumer, KafkaPartition[] partitions, long now) {
        if (outstanding != null || (completed < every && now - last < intervalNanos)) {
            return;
        }
        last = now;
        completed = 0;
        Map<KafkaPartition, OffsetAndMetadata> taken = takeAll(Arrays.asList(partitions));
        if (!taken.isEmpty()) {
            Object mine = new Object();
            outstanding = mine;
            consumer.commitAsync(offsets(taken), (offsets, failure) -> {
                if (outstanding == mine) {
                    outstanding = null;
                }
                if (ended(taken, failure)) {
                    completed = every;
                }
            });
        }
    }

    /** Commits what there is to commit of these and waits for it. A failure costs repeats only, so it is logged. */
    public void commitSync(Consumer<?, ?> consumer, Collection<KafkaPartition> partitions, Duration within) {
        boolean again = true;
        while (again) {
            Map<KafkaPartition, OffsetAndMetadata> taken = takeAll(partitions);
            Exception failure = null;
            try {
                if (!taken.isEmpty()) {
                    consumer.commitSync(offsets(taken), within);
                }
            } catch (RuntimeException e) {
                failure = e;
            }
            again = ended(taken, failure);
        }
    }

    /** Returns whether to retry the commit at once. */
    private boolean ended(Map<KafkaPartition, OffsetAndMetadata> taken, Exception failure) {
        if (failure == null) {
            if (!taken.isEmpty()) {
                problem.clear();
            }
            return false;
        }
        taken.keySet().forEach(partition -> partition.dirty = true);
        if (failure instanceof OffsetMetadataTooLarge) {
            return lowerLimit(taken.values());
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
    private boolean lowerLimit(Collection<OffsetAndMetadata> refused) {
        int longest = refused.stream()
                .mapToInt(position -> position.metadata().length())
                .max()
                .orElse(0);
        if (longest == 0) {
            return false;
        }
        if (longest > metadataLimit) {
            return true;
        }
        metadataLimit = longest / 2 < LEAST_METADATA ? 0 : longest / 2;
        LOG.warn(
                "Broker refused commit metadata, so more calls are repeated after a crash; raise"
                        + " offset.metadata.max.bytes on the brokers characters={} limit={} wanted={}",
                longest,
                metadataLimit,
                CommitMetadata.DEFAULT_MAX_CHARACTERS);
        return true;
    }

    /** Returns how many positions were committed with truncated metadata, because the broker's limit is too small. */
    public long truncatedCommitMetadata() {
        return truncated;
    }

    private Map<KafkaPartition, OffsetAndMetadata> takeAll(Collection<KafkaPartition> partitions) {
        Map<KafkaPartition, OffsetAndMetadata> taken = new HashMap<>();
        partitions.forEach(partition -> take(partition, taken));
        return taken;
    }

    private void take(KafkaPartition partition, Map<KafkaPartition, OffsetAndMetadata> taken) {
        if (!partition.dirty || !partition.isStarted()) {
            return;
        }
        partition.dirty = false;
        OffsetLedger ledger = partition.ledger();
        long offset = ledger.watermark();
        if (offset > ledger.frontier()) {
            LOG.error("{}: {} is not committed, for only {} was read; a defect", partition, offset, ledger.frontier());
            return;
        }
        taken.put(partition, new OffsetAndMetadata(offset, metadata(partition, offset)));
    }

    private String metadata(KafkaPartition partition, long offset) {
        int[] runs = partition.ledger().completedRuns();
        String whole = CommitMetadata.encode(partition.topicId(), partition.initialPartitions(), offset, runs);
        if (metadataLimit == CommitMetadata.DEFAULT_MAX_CHARACTERS) {
            partition.recordMetadataLength(whole.length());
            return whole;
        }
        // With a small limit, waiting for a shorter map would stop intake for a few slow calls: the map is cut instead.
        partition.recordMetadataLength(0);
        if (whole.length() <= metadataLimit) {
            return whole;
        }
        truncated++;
        return CommitMetadata.encode(partition.topicId(), partition.initialPartitions(), offset, runs, metadataLimit);
    }

    private static Map<TopicPartition, OffsetAndMetadata> offsets(Map<KafkaPartition, OffsetAndMetadata> taken) {
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        taken.forEach((partition, offset) -> offsets.put(partition.id(), offset));
        return offsets;
    }
}
