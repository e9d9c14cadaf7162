package io.iocluster.transport;

/** A delivery that no broker sent. It has no sender, and by default no headers and no time. */
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
