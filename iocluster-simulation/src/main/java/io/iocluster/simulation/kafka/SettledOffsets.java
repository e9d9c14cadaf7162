package io.iocluster.simulation.kafka;

import io.iocluster.kafka.ledger.ClusterTopicId;
import io.iocluster.kafka.ledger.CommitMetadata;
import java.util.Arrays;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;

/**
 * The offsets of a partition that a group has settled: all below the committed one, and those that the metadata of the commit names.
 * Immutable.
 */
final class SettledOffsets {

    static final SettledOffsets NONE = new SettledOffsets(0, new int[0]);

    private final long committed;
    private final int[] runs;

    private SettledOffsets(long committed, int[] runs) {
        this.committed = committed;
        this.runs = runs;
    }

    /** Reads a commit. Null means that there is none. */
    static SettledOffsets of(ClusterTopicId topic, OffsetAndMetadata commit) {
        if (commit == null) {
            return NONE;
        }
        int[] runs = CommitMetadata.decode(topic, commit.offset(), commit.metadata())
                        instanceof CommitMetadata.CompletedOffsets completed
                ? completed.runs()
                : new int[0];
        return new SettledOffsets(commit.offset(), runs);
    }

    /** Returns the committed offset. */
    long committed() {
        return committed;
    }

    @Override
    public String toString() {
        return committed + " " + Arrays.toString(runs);
    }

    boolean contains(long offset) {
        if (offset < committed) {
            return true;
        }
        long end = committed;
        for (int i = 0; i < runs.length; i++) {
            end += runs[i];
            if (offset < end) {
                return i % 2 == 1;
            }
        }
        return false;
    }
}
