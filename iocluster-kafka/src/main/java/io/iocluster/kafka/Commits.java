package io.iocluster.kafka;

import io.iocluster.transport.outage.ProblemLog;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.RetriableCommitFailedException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits watermarks with the map of what is done above them, one commit outstanding at a time. Confined to the poll thread.
 */
final class Commits {

    private static final Logger LOG = LoggerFactory.getLogger(Commits.class);

    private final long intervalNanos;
    private final int every;
    private final ProblemLog problem = new ProblemLog(LOG, null);
    private int completed;
    private long last = System.nanoTime();
    private Object outstanding;

    Commits(KafkaSettings settings) {
        this.intervalNanos = settings.commitInterval().toNanos();
        this.every = settings.commitEvery();
    }

    void completed() {
        completed++;
    }

    /** A new consumer: what the old one had outstanding is never heard of again. */
    void reset() {
        outstanding = null;
    }

    /** Commits if it is time and none is outstanding; the callback comes while the consumer polls. */
    void maybe(Consumer<?, ?> consumer, KafkaPartition[] partitions, long now) {
        if (outstanding != null || (completed < every && now - last < intervalNanos)) {
            return;
        }
        last = now;
        completed = 0;
        Map<KafkaPartition, OffsetAndMetadata> taken = new HashMap<>();
        for (KafkaPartition partition : partitions) {
            take(partition, taken);
        }
        if (!taken.isEmpty()) {
            Object mine = new Object();
            outstanding = mine;
            consumer.commitAsync(offsets(taken), (offsets, failure) -> {
                if (outstanding == mine) {
                    outstanding = null;
                }
                ended(taken, failure);
            });
        }
    }

    /** Commits what there is to commit of these and waits for it. A failure costs repeats only, so it is logged. */
    void now(Consumer<?, ?> consumer, Collection<KafkaPartition> partitions, Duration within) {
        Map<KafkaPartition, OffsetAndMetadata> taken = new HashMap<>();
        partitions.forEach(partition -> take(partition, taken));
        if (!taken.isEmpty()) {
            Exception failure = null;
            try {
                consumer.commitSync(offsets(taken), within);
            } catch (RuntimeException e) {
                failure = e;
            }
            ended(taken, failure);
        }
    }

    private void ended(Map<KafkaPartition, OffsetAndMetadata> taken, Exception failure) {
        if (failure == null) {
            problem.clear();
        } else {
            taken.keySet().forEach(partition -> partition.dirty = true);
            if (failure instanceof RetriableException || failure instanceof RetriableCommitFailedException) {
                LOG.debug("The positions are committed later; a broker that is away is told of elsewhere", failure);
            } else {
                problem.raise("Positions cannot be committed", failure);
            }
        }
    }

    private static void take(KafkaPartition partition, Map<KafkaPartition, OffsetAndMetadata> taken) {
        if (!partition.dirty || !partition.hasBegun()) {
            return;
        }
        partition.dirty = false;
        OffsetLedger ledger = partition.ledger();
        long offset = ledger.watermark();
        if (offset > ledger.frontier()) {
            LOG.error("{}: {} is not committed, for only {} was read; a defect", partition, offset, ledger.frontier());
            return;
        }
        String map = CompletedRanges.encode(partition.log(), partition.startedWith(), offset, ledger.runs());
        partition.noteMapLength(map.length());
        taken.put(partition, new OffsetAndMetadata(offset, map));
    }

    private static Map<TopicPartition, OffsetAndMetadata> offsets(Map<KafkaPartition, OffsetAndMetadata> taken) {
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        taken.forEach((partition, offset) -> offsets.put(partition.id(), offset));
        return offsets;
    }
}
