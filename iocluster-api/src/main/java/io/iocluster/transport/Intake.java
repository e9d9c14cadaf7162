package io.iocluster.transport;

/** Accepts deliveries from a {@link RequestSource}. Called on the source's thread only. */
@FunctionalInterface
public interface Intake {

    /**
     * Offers a delivery.
     *
     * @return true if the delivery was accepted and its settlement will be called once; false if there is no capacity:
     *     the source keeps the delivery and offers it again after {@link RequestSource#capacityAvailable}
     */
    boolean offer(Delivery delivery);
}
