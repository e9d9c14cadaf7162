package io.iocluster.kafka.loop;

import io.iocluster.transport.Delivery;
import io.iocluster.transport.Intake;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Protects the poll thread from defects of an intake. Confined to the poll thread. */
public final class GuardedIntake implements Intake {

    private static final Logger LOG = LoggerFactory.getLogger(GuardedIntake.class);

    private final Intake intake;

    public GuardedIntake(Intake intake) {
        this.intake = intake;
    }

    /** Offers a delivery. Releases it and returns true if the intake fails. */
    @Override
    public boolean offer(Delivery delivery) {
        try {
            return intake.offer(delivery);
        } catch (RuntimeException bug) {
            LOG.error("Intake failed because of a defect; record is offered again record={}", delivery, bug);
            delivery.settlement().release();
            return true;
        }
    }
}
