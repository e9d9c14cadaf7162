package io.iocluster.rabbit.source;

import io.iocluster.rabbit.connection.InboundBudget;
import io.iocluster.rabbit.ledger.RabbitDelivery;
import io.iocluster.transport.Intake;
import java.util.ArrayDeque;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Offers deliveries to the intake in the order of delivery. Confined to the source's loop. */
final class DeliveryBuffer {

    private static final Logger LOG = LoggerFactory.getLogger(DeliveryBuffer.class);

    private final Intake intake;
    private final BooleanSupplier suspended;
    private final InboundBudget budget;
    private final ArrayDeque<RabbitDelivery> buffer = new ArrayDeque<>();
    private volatile boolean refused;

    /**
     * Creates an empty buffer.
     *
     * @param suspended whether offering is suspended now
     * @param budget gets back the bytes of each delivery that leaves the buffer
     */
    DeliveryBuffer(Intake intake, BooleanSupplier suspended, InboundBudget budget) {
        this.intake = intake;
        this.suspended = suspended;
        this.budget = budget;
    }

    /** Adds a delivery and offers it if the intake accepts deliveries now. */
    void add(RabbitDelivery delivery) {
        buffer.add(delivery);
        if (buffer.size() == 1 || !refused) {
            offerBuffered();
        }
    }

    /** Offers buffered deliveries until the intake refuses one. */
    void offerBuffered() {
        while (!buffer.isEmpty() && !suspended.getAsBoolean()) {
            if (offer(buffer.element())) {
                budget.release(buffer.remove().heldBytes());
                refused = false;
            } else if (refused) {
                return;
            } else {
                // Capacity freed after this write triggers a new offer; capacity freed before is used by the next
                // iteration.
                refused = true;
            }
        }
        refused = false;
    }

    private boolean offer(RabbitDelivery delivery) {
        try {
            return intake.offer(delivery);
        } catch (RuntimeException | Error bug) {
            LOG.error("Offer to the pipeline failed; the delivery is released delivery={}", delivery, bug);
            delivery.release();
            return true;
        }
    }

    /** Returns whether the intake refused the last offer. Any thread. */
    boolean isIntakeFull() {
        return refused;
    }

    int buffered() {
        return buffer.size();
    }

    /** Removes all deliveries. */
    void drainTo(Consumer<RabbitDelivery> consumer) {
        for (RabbitDelivery delivery : buffer) {
            budget.release(delivery.heldBytes());
            consumer.accept(delivery);
        }
        buffer.clear();
        refused = false;
    }
}
