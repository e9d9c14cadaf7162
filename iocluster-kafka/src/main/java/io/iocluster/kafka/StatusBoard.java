package io.iocluster.kafka;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What the poll thread shows of itself. Written by the poll thread, read by any. */
final class StatusBoard {

    /** One partition as it stood. */
    record Line(KafkaPartition partition, long backlog, long oldestTimestamp) {}

    /**
     * The source as it stood.
     *
     * @param lines of the partitions whose length is known
     */
    record Snapshot(
            Set<String> reasons,
            int buffered,
            List<Line> lines,
            long redelivered,
            long foreignNotes,
            long truncatedCommits) {}

    private final Assigned assigned;
    private final Commits commits;
    private final Mailbox mailbox;
    private volatile Snapshot snapshot = new Snapshot(Set.of(), 0, List.of(), 0, 0, 0);

    StatusBoard(Assigned assigned, Commits commits, Mailbox mailbox) {
        this.assigned = assigned;
        this.commits = commits;
        this.mailbox = mailbox;
    }

    /** Poll thread only. */
    void show(boolean refused) {
        Set<String> reasons = new HashSet<>();
        KafkaPartition[] partitions = assigned.all();
        List<Line> lines = new ArrayList<>(partitions.length);
        for (KafkaPartition partition : partitions) {
            // One that has moved here just now is of unknown length, which is not nothing.
            if (partition.hasBegun() && partition.end >= 0) {
                lines.add(new Line(partition, partition.backlog(), partition.oldestTimestamp()));
            }
            if (partition.isRetrying()) {
                reasons.add("backoff");
            }
            if (partition.lanesFull) {
                reasons.add("buffer-full");
            }
            if (partition.isLedgerFull()) {
                reasons.add("ledger-full");
            }
        }
        if (refused) {
            reasons.add("window-full");
        }
        snapshot = new Snapshot(
                reasons,
                assigned.buffered(),
                lines,
                assigned.redelivered(),
                assigned.starts().foreignNotes(),
                commits.truncated());
    }

    Snapshot snapshot() {
        return snapshot;
    }

    long strayed() {
        return mailbox.strayedCount();
    }
}
