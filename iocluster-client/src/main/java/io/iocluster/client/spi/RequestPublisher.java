package io.iocluster.client.spi;

import io.iocluster.transport.PublishResult;
import java.util.concurrent.CompletableFuture;

/** Publishes envelopes to a topic or queue. Thread-safe. */
public interface RequestPublisher extends AutoCloseable {

    /**
     * Publishes one envelope without blocking.
     *
     * @return completes, never exceptionally, with the broker's result; stays incomplete while the broker is
     *     unreachable. Cancelling it withdraws an envelope that is not yet sent
     */
    CompletableFuture<PublishResult> publish(OutgoingRequest request);

    /** Returns the addresses of the broker, without credentials, for messages to people. */
    String brokerAddresses();

    /** Closes the publisher. Publishes that are not confirmed complete as failed. */
    @Override
    void close();
}
