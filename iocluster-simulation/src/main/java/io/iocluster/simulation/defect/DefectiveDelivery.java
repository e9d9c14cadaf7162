package io.iocluster.simulation.defect;

import io.iocluster.transport.Delivery;
import io.iocluster.transport.Settlement;
import io.iocluster.transport.TraceContext;

/** Passes everything on to the correct delivery. A subclass changes a part. */
class DefectiveDelivery implements Delivery {

    private final Delivery correct;

    DefectiveDelivery(Delivery correct) {
        this.correct = correct;
    }

    /** Returns the delivery that the transport knows. */
    static Delivery unwrap(Delivery delivery) {
        return delivery instanceof DefectiveDelivery defective ? defective.correct : delivery;
    }

    @Override
    public byte[] payload() {
        return correct.payload();
    }

    @Override
    public String problem() {
        return correct.problem();
    }

    @Override
    public boolean isDeliveryLimitReached() {
        return correct.isDeliveryLimitReached();
    }

    @Override
    public long heldBytes() {
        return correct.heldBytes();
    }

    @Override
    public String header(String name) {
        return correct.header(name);
    }

    @Override
    public TraceContext traceContext() {
        return correct.traceContext();
    }

    @Override
    public boolean hasIgnoredProperty() {
        return correct.hasIgnoredProperty();
    }

    @Override
    public String correlationId() {
        return correct.correlationId();
    }

    @Override
    public String replyTo() {
        return correct.replyTo();
    }

    @Override
    public String coordinates() {
        return correct.coordinates();
    }

    @Override
    public String queue() {
        return correct.queue();
    }

    @Override
    public boolean isDelayedRetry() {
        return correct.isDelayedRetry();
    }

    @Override
    public boolean isRedelivered() {
        return correct.isRedelivered();
    }

    @Override
    public long timestampMillis() {
        return correct.timestampMillis();
    }

    @Override
    public long timeToLiveMillis() {
        return correct.timeToLiveMillis();
    }

    @Override
    public boolean claim() {
        return correct.claim();
    }

    @Override
    public Settlement settlement() {
        return correct.settlement();
    }
}
