package io.iocluster.kafka.source;

import io.iocluster.kafka.ledger.KafkaPartition;
import io.iocluster.kafka.ledger.OffsetCommitter;
import io.iocluster.kafka.ledger.OffsetDelivery;
import io.iocluster.kafka.ledger.PollThreadMailbox;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.LongConsumer;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies changes of the assignment. Called by the consumer on the poll thread. Must not throw, because an exception
 * would end the consumer.
 */
final class RebalanceListener implements ConsumerRebalanceListener {

    private static final Logger LOG = LoggerFactory.getLogger(RebalanceListener.class);
    private static final Duration COMMIT_WITHIN = Duration.ofSeconds(5);

    private final Consumer<?, ?> consumer;
    private final AssignedPartitions assigned;
    private final OffsetCommitter commits;
    private final PollThreadMailbox<OffsetDelivery> mailbox;
    private final Runnable changed;
    private final LongConsumer settle;
    private final LongConsumer offer;
    private final long drainNanos;
    private volatile boolean closing;

    /**
     * Creates the listener of one consumer.
     *
     * @param drain how long to wait for calls in flight of revoked partitions
     * @param settle applies the settlements in the mailbox; its argument is the {@link System#nanoTime}
     * @param offer offers the buffered records of the partitions that the node keeps; its argument is the
     *     {@link System#nanoTime}
     * @param changed runs after every change
     */
    RebalanceListener(
            Consumer<?, ?> consumer,
            AssignedPartitions assigned,
            OffsetCommitter commits,
            PollThreadMailbox<OffsetDelivery> mailbox,
            Duration drain,
            LongConsumer settle,
            LongConsumer offer,
            Runnable changed) {
        this.consumer = consumer;
        this.assigned = assigned;
        this.commits = commits;
        this.mailbox = mailbox;
        this.drainNanos = drain.toNanos();
        this.settle = settle;
        this.offer = offer;
        this.changed = changed;
    }

    /** Makes revocations stop waiting for calls in flight. Any thread. */
    void skipDrain() {
        closing = true;
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
        try {
            assigned.add(partitions);
            changed.run();
            assigned.startPartitions(consumer);
        } catch (RuntimeException e) {
            LOG.debug("Positions not known yet partitions={}", partitions, e);
        }
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
        List<KafkaPartition> revoked = assigned.find(partitions);
        try {
            revoked.forEach(KafkaPartition::revoke);
            drain(revoked);
            commits.commitSync(consumer, revoked, COMMIT_WITHIN);
        } catch (RuntimeException e) {
            LOG.error("Revocation failed; uncommitted records will be redelivered partitions={}", partitions, e);
        } finally {
            assigned.remove(revoked);
            changed.run();
        }
    }

    private void drain(List<KafkaPartition> revoked) {
        long start = System.nanoTime();
        settle.accept(start);
        while (!closing && assigned.inFlight(revoked) > 0) {
            long remaining = drainNanos - (System.nanoTime() - start);
            if (remaining <= 0) {
                LOG.info(
                        "Revocation timed out; records of calls in flight may be redelivered calls={} partitions={}",
                        assigned.inFlight(revoked),
                        revoked);
                return;
            }
            offer.accept(System.nanoTime());
            mailbox.expectCapacity();
            mailbox.expectSettlements();
            mailbox.park(Math.min(remaining, 10_000_000));
            settle.accept(System.nanoTime());
        }
    }

    @Override
    public void onPartitionsLost(Collection<TopicPartition> partitions) {
        List<KafkaPartition> lost = assigned.find(partitions);
        lost.forEach(KafkaPartition::revoke);
        assigned.remove(lost);
        changed.run();
    }

    /** Drops all partitions without a commit. */
    void dropAll() {
        assigned.remove(Arrays.asList(assigned.all()));
        changed.run();
    }
}
