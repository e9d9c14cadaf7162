package io.iocluster.kafka.source;

import io.iocluster.kafka.ledger.KafkaPartition;
import io.iocluster.kafka.ledger.OffsetCommitter;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
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
    private final PollThread thread;
    private final long drainNanos;
    private volatile boolean closing;

    /** What the listener needs from the poll thread, on which it runs. */
    interface PollThread {

        /** Returns the monotonic clock in nanoseconds. */
        long nanos();

        /** Applies the settlements in the mailbox. */
        void settle();

        /** Offers the buffered records of the partitions that the node keeps. Then waits for settlements and capacity, at most this time. */
        void offerAndAwait(long maxNanos);

        /** Runs after every change. */
        void assignmentChanged();
    }

    /**
     * Creates the listener of one consumer.
     *
     * @param drain how long to wait for calls in flight of revoked partitions
     */
    RebalanceListener(
            Consumer<?, ?> consumer,
            AssignedPartitions assigned,
            OffsetCommitter commits,
            Duration drain,
            PollThread thread) {
        this.consumer = consumer;
        this.assigned = assigned;
        this.commits = commits;
        this.thread = thread;
        this.drainNanos = drain.toNanos();
    }

    /** Makes revocations stop waiting for calls in flight. Any thread. */
    void skipDrain() {
        closing = true;
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
        try {
            assigned.add(partitions);
            thread.assignmentChanged();
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
            thread.assignmentChanged();
        }
    }

    private void drain(List<KafkaPartition> revoked) {
        long start = thread.nanos();
        thread.settle();
        while (!closing && assigned.inFlight(revoked) > 0) {
            long remaining = drainNanos - (thread.nanos() - start);
            if (remaining <= 0) {
                LOG.info(
                        "Revocation timed out; records of calls in flight may be redelivered calls={} partitions={}",
                        assigned.inFlight(revoked),
                        revoked);
                return;
            }
            thread.offerAndAwait(Math.min(remaining, 10_000_000));
            thread.settle();
        }
    }

    @Override
    public void onPartitionsLost(Collection<TopicPartition> partitions) {
        List<KafkaPartition> lost = assigned.find(partitions);
        lost.forEach(KafkaPartition::revoke);
        assigned.remove(lost);
        thread.assignmentChanged();
    }

    /** Drops all partitions without a commit. */
    void dropAll() {
        assigned.remove(Arrays.asList(assigned.all()));
        thread.assignmentChanged();
    }
}
