package io.iocluster.rabbit.source;

import io.iocluster.rabbit.connection.InboundBudget;
import io.iocluster.rabbit.ledger.RabbitDelivery;
import io.iocluster.transport.Intake;
import java.util.ArrayDeque;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Offers what was delivered to the intake, in the order of delivery. Confined to the source's loop. */
final class DeliveryBuffer {

    private static final Logger LOG = LoggerFactory.getLogger(DeliveryBuffer.class);

    private final Intake intake;
    private final BooleanSupplier held;
    private final InboundBudget budget;
    private final ArrayDeque<RabbitDelivery> buffer = new ArrayDeque<>();
    private volatile boolean refused;

    /**
     * Hands over to an intake.
     *
     * @param held whether nothing may be handed over now
     * @param budget receives the released bytes of each delivery that leaves
     */
    DeliveryBuffer(Intake intake, BooleanSupplier held, InboundBudget budget) {
        this.intake = intake;
        this.held = held;
        this.budget = budget;
    }

    /** Takes a delivery, and hands it over at once if it can. */
    void add(RabbitDelivery delivery) {
        buffer.add(delivery);
        if (buffer.size() == 1 || !refused) {
            offerBuffered();
        }
    }

    /** Hands over what it can. */
    void offerBuffered() {
        while (!buffer.isEmpty() && !held.getAsBoolean()) {
            if (offer(buffer.element())) {
                budget.release(buffer.remove().heldBytes());
                refused = false;
            } else if (refused) {
                return;
            } else {
                // Whoever makes room from now on sees this; who made it before finds it used by the next offer.
                refused = true;
            }
        }
        refused = false;
    }

    private boolean offer(RabbitDelivery delivery) {
        try {
            return intake.offer(delivery);
        } catch (RuntimeException | Error bug) {
            LOG.error("{} could not be handed over and is given back", delivery, bug);
            delivery.release();
            return true;
        }
    }

    /** Whether the last offer was refused. Any thread. */
    boolean isIntakeFull() {
        return refused;
    }

    int buffered() {
        return buffer.size();
    }

    /** Gives away all that it holds. */
    void drainTo(Consumer<RabbitDelivery> taker) {
        for (RabbitDelivery delivery : buffer) {
            budget.release(delivery.heldBytes());
            taker.accept(delivery);
        }
        buffer.clear();
        refused = false;
    }
}
