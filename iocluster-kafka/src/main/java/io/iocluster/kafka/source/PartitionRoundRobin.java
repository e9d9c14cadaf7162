package io.iocluster.kafka.source;

import io.iocluster.kafka.ledger.KafkaDelivery;
import io.iocluster.kafka.ledger.KafkaPartition;
import io.iocluster.transport.Intake;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Offers what was read to the intake, the partitions in turn, until there is no room. Confined to the poll thread.
 */
final class PartitionRoundRobin {

    private static final Logger LOG = LoggerFactory.getLogger(PartitionRoundRobin.class);
    private static final int TURN = 8;

    private final Intake intake;
    private KafkaPartition[] partitions = {};
    private int current;
    private int taken;

    PartitionRoundRobin(Intake intake) {
        this.intake = intake;
    }

    void setPartitions(KafkaPartition[] assigned) {
        partitions = assigned;
        current = 0;
        taken = 0;
    }

    /** Whether a delivery was refused; otherwise nothing is left that could be offered now. */
    boolean offerBuffered(long now) {
        int idle = 0;
        while (idle < partitions.length) {
            KafkaPartition partition = partitions[current];
            KafkaDelivery next = partition.nextToOffer(now);
            if (next == null) {
                idle++;
                advance();
                continue;
            }
            idle = 0;
            if (!offer(next)) {
                return true;
            }
            partition.markInFlight(next);
            if (++taken >= TURN) {
                advance();
            }
        }
        return false;
    }

    private void advance() {
        current = current + 1 == partitions.length ? 0 : current + 1;
        taken = 0;
    }

    private boolean offer(KafkaDelivery delivery) {
        try {
            return intake.offer(delivery);
        } catch (RuntimeException bug) {
            LOG.error("{} could not be handed over and is given back", delivery, bug);
            delivery.release();
            return true;
        }
    }
}
