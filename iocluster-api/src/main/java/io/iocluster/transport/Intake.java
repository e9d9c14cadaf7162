package io.iocluster.transport;

/** Takes deliveries from a {@link RequestSource}. Called on the source's one thread only. */
@FunctionalInterface
public interface Intake {

    /**
     * Offers a delivery.
     *
     * @return true if it was taken, and its settlement will be called once; false if there is no room now: the source
     *     keeps it and offers it again after {@link RequestSource#capacityAvailable}
     */
    boolean offer(Delivery delivery);
}
