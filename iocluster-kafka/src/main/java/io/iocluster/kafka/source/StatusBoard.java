package io.iocluster.kafka.source;

import io.iocluster.kafka.ledger.KafkaPartition;
import io.iocluster.kafka.ledger.OffsetCommitter;
import io.iocluster.kafka.ledger.PollThreadMailbox;
import io.iocluster.transport.PauseReason;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What the poll thread shows of itself. Written by the poll thread, read by any. */
final class StatusBoard {

    /** One partition as it stood. */
    record PartitionStatus(KafkaPartition partition, long backlog, long oldestTimestamp) {}

    /**
     * The source as it stood.
     *
     * @param lines of the partitions whose length is known
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

    /** Poll thread only. */
    void update(boolean refused) {
        Set<PauseReason> reasons = new HashSet<>();
        KafkaPartition[] partitions = assigned.all();
        List<PartitionStatus> lines = new ArrayList<>(partitions.length);
        for (KafkaPartition partition : partitions) {
            // One that has moved here just now is of unknown length, which is not nothing.
            if (partition.isStarted() && partition.end >= 0) {
                lines.add(new PartitionStatus(partition, partition.backlog(), partition.oldestTimestamp()));
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
                lines,
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
