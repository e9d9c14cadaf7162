package io.iocluster.kafka.source;

import io.iocluster.kafka.ledger.KafkaPartition;
import io.iocluster.kafka.ledger.OffsetCommitter;
import io.iocluster.kafka.ledger.PollThreadMailbox;
import io.iocluster.transport.PauseReason;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Publishes the status of the poll thread. Written by the poll thread, read by any thread. */
final class StatusBoard {

    /**
     * Status of one partition.
     *
     * @param oldestTimestamp of the oldest unsettled record, in epoch milliseconds; {@link Long#MAX_VALUE} if there is
     *     none
     */
    record PartitionStatus(KafkaPartition partition, long backlog, long oldestTimestamp) {}

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
    private final PollThreadMailbox mailbox;
    private volatile StatusSnapshot snapshot = new StatusSnapshot(Set.of(), 0, List.of(), 0, 0, 0);

    StatusBoard(AssignedPartitions assigned, OffsetCommitter commits, PollThreadMailbox mailbox) {
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
        Set<PauseReason> reasons = new HashSet<>();
        KafkaPartition[] partitions = assigned.all();
        List<PartitionStatus> known = new ArrayList<>(partitions.length);
        for (KafkaPartition partition : partitions) {
            // The backlog of a partition that was just assigned is unknown, not 0.
            if (partition.isStarted() && partition.end >= 0) {
                known.add(new PartitionStatus(partition, partition.backlog(), partition.oldestTimestamp()));
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

    StatusSnapshot snapshot() {
        return snapshot;
    }

    long duplicateSettlements() {
        return mailbox.duplicateSettlements();
    }
}
