package io.iocluster.kafka;

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
 * Finds partitions that an open transaction holds back: a {@code read_committed} consumer reads up to the last stable offset, which is
 * where the oldest open transaction begins. Confined to the thread that asks for the ends of partitions.
 */
public final class OpenTransactions {

    private static final Logger LOG = LoggerFactory.getLogger(OpenTransactions.class);
    private static final long ANSWER_WITHIN_SECONDS = 6;

    private final long warnAfterNanos;
    private final Map<TopicPartition, Held> held = new HashMap<>();

    /** A last stable offset that is below the log's end since a time. */
    private record Held(long stable, long since, boolean warned) {}

    public OpenTransactions(Duration warnAfter) {
        this.warnAfterNanos = warnAfter.toNanos();
    }

    /**
     * Notes the ends of a partition, and logs a warning once for each transaction that is open for too long.
     *
     * @param stable the last stable offset
     * @param end the high watermark, read before {@code stable}
     */
    public void note(Admin admin, KafkaPartition partition, long stable, long end) throws InterruptedException {
        long now = System.nanoTime();
        Held before = held.get(partition.id());
        if (end <= stable) {
            held.remove(partition.id());
            partition.openTransactionSince = 0;
            return;
        }
        boolean same = before != null && before.stable() == stable;
        Held open = same ? before : new Held(stable, now, false);
        partition.openTransactionSince = open.since();
        if (!open.warned() && now - open.since() >= warnAfterNanos) {
            LOG.warn(
                    "Open transaction holds back a partition; records behind it wait until it ends or until the broker aborts it after"
                            + " transaction.max.timeout.ms partition={} lastStableOffset={} end={} openSeconds={} {}",
                    partition.id(),
                    stable,
                    end,
                    TimeUnit.NANOSECONDS.toSeconds(now - open.since()),
                    producer(admin, partition.id(), stable));
            open = new Held(stable, open.since(), true);
        }
        held.put(partition.id(), open);
    }

    /** Forgets partitions that this node does not read any more. */
    public void retain(Map<TopicPartition, ?> assigned) {
        held.keySet().retainAll(assigned.keySet());
    }

    /** Returns which producer has the transaction open that begins at this offset, as text for the log. */
    static String producer(Admin admin, TopicPartition partition, long stable) throws InterruptedException {
        try {
            List<ProducerState> producers = admin.describeProducers(List.of(partition))
                    .partitionResult(partition)
                    .get(ANSWER_WITHIN_SECONDS, TimeUnit.SECONDS)
                    .activeProducers();
            return producers.stream()
                    .filter(each -> each.currentTransactionStartOffset().orElse(-1) == stable)
                    .findFirst()
                    .map(each -> "producerId=" + each.producerId() + " producerEpoch=" + each.producerEpoch()
                            + " startOffset=" + stable + " lastWriteMillis=" + each.lastTimestamp())
                    .orElse("producerId=unknown");
        } catch (ExecutionException | TimeoutException | KafkaException refused) {
            LOG.debug("Producers not described partition={}", partition, refused);
            return "producerId=unknown";
        }
    }
}
