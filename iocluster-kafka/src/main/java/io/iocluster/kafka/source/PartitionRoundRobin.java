package io.iocluster.kafka.source;

import io.iocluster.kafka.ledger.KafkaPartition;
import io.iocluster.kafka.ledger.OffsetDelivery;
import io.iocluster.kafka.loop.GuardedIntake;
import io.iocluster.transport.Intake;

/**
 * Offers buffered records to the intake, round-robin over the partitions, until the intake refuses one. Confined to the
 * poll thread.
 */
final class PartitionRoundRobin {

    /** How many records of one partition are offered in a row. */
    private static final int BATCH = 8;

    private final Intake intake;
    private KafkaPartition[] partitions = {};
    private int current;
    private int offeredInRow;
    private boolean accepted;

    PartitionRoundRobin(Intake intake) {
        this.intake = new GuardedIntake(intake);
    }

    /** Replaces the partitions. */
    void setPartitions(KafkaPartition[] assigned) {
        partitions = assigned;
        current = 0;
        offeredInRow = 0;
    }

    /**
     * Offers records until none is left that could be offered now.
     *
     * @return whether the intake refused one
     */
    boolean offerBuffered(long now) {
        accepted = false;
        int idle = 0;
        while (idle < partitions.length) {
            KafkaPartition partition = partitions[current];
            OffsetDelivery next = partition.nextToOffer(now);
            if (next == null) {
                idle++;
                advance();
                continue;
            }
            idle = 0;
            if (!intake.offer(next)) {
                return true;
            }
            accepted = true;
            partition.markInFlight(next);
            if (++offeredInRow >= BATCH) {
                advance();
            }
        }
        return false;
    }

    /** Returns whether the intake accepted a record in the last {@link #offerBuffered}. */
    boolean hasAccepted() {
        return accepted;
    }

    private void advance() {
        current = current + 1 == partitions.length ? 0 : current + 1;
        offeredInRow = 0;
    }
}
