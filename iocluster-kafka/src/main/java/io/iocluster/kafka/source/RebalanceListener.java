package io.iocluster.kafka.source;

import io.iocluster.kafka.ledger.KafkaPartition;
import io.iocluster.kafka.ledger.OffsetCommitter;
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
 * Follows the group's assignments. Called by the consumer on the poll thread; nothing it does may end in an exception, for
 * that would end the consumer.
 */
final class RebalanceListener implements ConsumerRebalanceListener {

    private static final Logger LOG = LoggerFactory.getLogger(RebalanceListener.class);
    private static final Duration COMMIT_WITHIN = Duration.ofSeconds(5);

    private final Consumer<?, ?> consumer;
    private final AssignedPartitions assigned;
    private final OffsetCommitter commits;
    private final PollThreadMailbox mailbox;
    private final Runnable changed;
    private final LongConsumer settle;
    private final LongConsumer handOver;
    private final long drainNanos;
    private volatile boolean closing;

    /**
     * Follows one consumer.
     *
     * @param settle empties the mailbox
     * @param handOver offers the buffered records of the partitions that the node keeps
     * @param changed hears of every change
     */
    RebalanceListener(
            Consumer<?, ?> consumer,
            AssignedPartitions assigned,
            OffsetCommitter commits,
            PollThreadMailbox mailbox,
            Duration drain,
            LongConsumer settle,
            LongConsumer handOver,
            Runnable changed) {
        this.consumer = consumer;
        this.assigned = assigned;
        this.commits = commits;
        this.mailbox = mailbox;
        this.drainNanos = drain.toNanos();
        this.settle = settle;
        this.handOver = handOver;
        this.changed = changed;
    }

    /** From now on partitions are given up without waiting for their calls. Any thread. */
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
            LOG.debug("The positions of {} are not known yet", partitions, e);
        }
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
        List<KafkaPartition> leaving = assigned.find(partitions);
        try {
            leaving.forEach(KafkaPartition::revoke);
            drain(leaving);
            commits.commitSync(consumer, leaving, COMMIT_WITHIN);
        } catch (RuntimeException e) {
            LOG.error("{} were given up uncleanly: what was settled last is repeated", partitions, e);
        } finally {
            assigned.remove(leaving);
            changed.run();
        }
    }

    private void drain(List<KafkaPartition> leaving) {
        long start = System.nanoTime();
        settle.accept(start);
        while (!closing && assigned.inFlight(leaving) > 0) {
            long left = drainNanos - (System.nanoTime() - start);
            if (left <= 0) {
                LOG.info("{} calls of {} outlast the drain and may be repeated", assigned.inFlight(leaving), leaving);
                return;
            }
            handOver.accept(System.nanoTime());
            mailbox.expectCapacity();
            mailbox.expectSettlements();
            mailbox.park(Math.min(left, 10_000_000));
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

    /** Gives up everything, without a commit. */
    void dropAll() {
        assigned.remove(Arrays.asList(assigned.all()));
        changed.run();
    }
}
