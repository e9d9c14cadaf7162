package io.iocluster.kafka.source;

import io.iocluster.kafka.config.KafkaConnections;
import io.iocluster.kafka.ledger.KafkaPartition;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds partitions that are blocked by an open transaction. A {@code read_committed} consumer reads up to the last
 * stable offset, which is the first offset of the oldest open transaction. Confined to the thread of the end offset
 * monitor.
 */
final class OpenTransactions {

    private static final Logger LOG = LoggerFactory.getLogger(OpenTransactions.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(6);

    private final KafkaConnections connections;
    private final long warnAfterNanos;
    private final Map<TopicPartition, Blocked> blocked = new HashMap<>();

    /** A last stable offset below the high watermark, and the monotonic nanoseconds when it was first seen. */
    private record Blocked(long stable, long since, boolean warned) {}

    /** Creates an instance that warns of transactions that are open for longer than {@code warnAfter}. */
    OpenTransactions(Duration warnAfter, KafkaConnections connections) {
        this.connections = connections;
        this.warnAfterNanos = warnAfter.toNanos();
    }

    /**
     * Records the end offsets of a partition. Logs one warning for each transaction that is open for too long.
     *
     * @param stable the last stable offset
     * @param end the high watermark, read before {@code stable}
     */
    void update(Admin admin, KafkaPartition partition, long stable, long end) throws InterruptedException {
        long now = connections.platform().nanos();
        Blocked before = blocked.get(partition.id());
        if (end <= stable) {
            blocked.remove(partition.id());
            partition.openTransactionSince = 0;
            return;
        }
        boolean same = before != null && before.stable() == stable;
        Blocked open = same ? before : new Blocked(stable, now, false);
        partition.openTransactionSince = open.since();
        if (!open.warned() && now - open.since() >= warnAfterNanos) {
            LOG.warn(
                    "Open transaction blocks a partition; records behind it wait until it ends or the broker aborts"
                            + " it after transaction.max.timeout.ms partition={} lastStableOffset={} end={}"
                            + " openSeconds={} {}",
                    partition.id(),
                    stable,
                    end,
                    TimeUnit.NANOSECONDS.toSeconds(now - open.since()),
                    describeProducer(admin, partition.id(), stable));
            open = new Blocked(stable, open.since(), true);
        }
        blocked.put(partition.id(), open);
    }

    /** Forgets partitions that are no longer assigned. */
    void retain(Map<TopicPartition, ?> assigned) {
        blocked.keySet().retainAll(assigned.keySet());
    }

    /** Returns log text that identifies the producer whose open transaction starts at this offset. */
    String describeProducer(Admin admin, TopicPartition partition, long stable) throws InterruptedException {
        try {
            List<ProducerState> producers = connections
                    .await(admin.describeProducers(List.of(partition)).partitionResult(partition), TIMEOUT)
                    .activeProducers();
            return producers.stream()
                    .filter(each -> each.currentTransactionStartOffset().orElse(-1) == stable)
                    .findFirst()
                    .map(each -> "producerId=" + each.producerId() + " producerEpoch=" + each.producerEpoch()
                            + " startOffset=" + stable + " lastWriteMillis=" + each.lastTimestamp())
                    .orElse("producerId=unknown");
        } catch (ExecutionException | TimeoutException | KafkaException failure) {
            LOG.debug("Producers not described partition={}", partition, failure);
            return "producerId=unknown";
        }
    }
}
