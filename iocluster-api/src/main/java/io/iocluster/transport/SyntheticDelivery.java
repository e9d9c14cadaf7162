package io.iocluster.transport;

/** A delivery that the node creates itself: it has no headers, no sender and no time. */
public interface SyntheticDelivery extends Delivery {

    @Override
    default String header(String name) {
        return null;
    }

    @Override
    default String correlationId() {
        return null;
    }

    @Override
    default String replyTo() {
        return null;
    }

    @Override
    default long timestampMillis() {
        return -1;
    }
}
