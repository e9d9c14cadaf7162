package io.iocluster.kafka.source;

import io.iocluster.kafka.ledger.KafkaPartition;
import io.iocluster.kafka.ledger.OffsetCommitter;
import io.iocluster.kafka.ledger.PollThreadMailbox;
import io.iocluster.thread.NodeClock;
import io.iocluster.transport.PauseReason;
import io.iocluster.transport.SourceStatus;
import io.iocluster.transport.SourceStatus.Lag;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Publishes the status of the poll thread. Written by the poll thread, read by any thread. */
final class StatusBoard {

    /**
     * Status of one partition.
     *
     * @param oldestTimestamp of the oldest unsettled record, in epoch milliseconds; {@link Long#MAX_VALUE} if there is
     *     none
     * @param maxAgeNanos upper bound for the age of the oldest unsettled record at {@code atNanos}; {@link Long#MAX_VALUE} if not known
     * @param atNanos monotonic nanoseconds of the status
     */
    record PartitionStatus(
            KafkaPartition partition, long backlog, long oldestTimestamp, long maxAgeNanos, long atNanos) {

        /** Returns the age of the oldest unsettled record in milliseconds, 0 if there is none. A wrong timestamp cannot make it too large. */
        long oldestAgeMillis(long nowMillis, long nowNanos) {
            if (oldestTimestamp == Long.MAX_VALUE) {
                return 0;
            }
            long age = Math.max(0, nowMillis - oldestTimestamp);
            return maxAgeNanos == Long.MAX_VALUE
                    ? age
                    : Math.min(age, TimeUnit.NANOSECONDS.toMillis(maxAgeNanos + nowNanos - atNanos));
        }
    }

    /**
     * Status of the source.
     *
     * @param reasons why reading is limited
     * @param partitions the partitions with a known end offset
     */
    record StatusSnapshot(
            Set<PauseReason> reasons,
            int buffered,
            List<PartitionStatus> partitions,
            long redelivered,
            long unreadableCommitMetadata,
            long truncatedCommitMetadata) {}

    private final AssignedPartitions assigned;
    private final OffsetCommitter commits;
    private final PollThreadMailbox<?> mailbox;
    private final NodeClock clock;
    private volatile StatusSnapshot snapshot = new StatusSnapshot(Set.of(), 0, List.of(), 0, 0, 0);

    StatusBoard(AssignedPartitions assigned, OffsetCommitter commits, PollThreadMailbox<?> mailbox, NodeClock clock) {
        this.clock = clock;
        this.assigned = assigned;
        this.commits = commits;
        this.mailbox = mailbox;
    }

    /**
     * Publishes a new status. Called on the poll thread only.
     *
     * @param refused whether the intake refused the last offer
     */
    void update(boolean refused) {
        long now = clock.nanos();
        Set<PauseReason> reasons = new HashSet<>();
        KafkaPartition[] partitions = assigned.all();
        List<PartitionStatus> known = new ArrayList<>(partitions.length);
        for (KafkaPartition partition : partitions) {
            // The backlog of a partition that was just assigned is unknown, not 0.
            if (partition.isStarted() && partition.end >= 0) {
                long oldest = partition.ledger().watermark();
                known.add(new PartitionStatus(
                        partition,
                        partition.backlog(),
                        partition.oldestTimestamp(),
                        partition.ends.maxAgeNanos(oldest, now),
                        now));
            }
            if (partition.isRetrying()) {
                reasons.add(PauseReason.BACKOFF);
            }
            if (partition.lanesFull) {
                reasons.add(PauseReason.BUFFER_FULL);
            }
            if (partition.isLedgerFull()) {
                reasons.add(PauseReason.UNCOMMITTED_LIMIT);
            }
        }
        if (refused) {
            reasons.add(PauseReason.BACKPRESSURE);
        }
        snapshot = new StatusSnapshot(
                reasons,
                assigned.buffered(),
                known,
                assigned.redelivered(),
                assigned.startingPositions().unreadableCommitMetadata(),
                commits.truncatedCommitMetadata());
    }

    /**
     * Returns the last status. Any thread.
     *
     * @param reasons added to the board's own reasons
     * @param problem why the broker cannot be read, or null
     * @param monitor queries the end offsets
     */
    SourceStatus status(Set<PauseReason> reasons, String problem, EndOffsetMonitor monitor) {
        StatusSnapshot last = snapshot;
        Set<PauseReason> all = new HashSet<>(reasons);
        all.addAll(last.reasons());
        return new SourceStatus(
                problem == null,
                problem,
                all,
                last.buffered(),
                lags(last, monitor.isStale()),
                mailbox.duplicateSettlements(),
                last.redelivered(),
                last.unreadableCommitMetadata(),
                last.truncatedCommitMetadata(),
                0,
                monitor.unansweredMillis());
    }

    private List<Lag> lags(StatusSnapshot snapshot, boolean stale) {
        long now = clock.wallMillis();
        long nowNanos = clock.nanos();
        List<Lag> lags = new ArrayList<>(snapshot.partitions().size());
        for (PartitionStatus status : snapshot.partitions()) {
            KafkaPartition partition = status.partition();
            long since = partition.openTransactionSince;
            lags.add(new Lag(
                    partition.id().topic(),
                    partition.id().partition(),
                    status.backlog(),
                    0,
                    status.oldestAgeMillis(now, nowNanos),
                    since == 0 ? 0 : TimeUnit.NANOSECONDS.toMillis(nowNanos - since),
                    stale));
        }
        return lags;
    }
}
