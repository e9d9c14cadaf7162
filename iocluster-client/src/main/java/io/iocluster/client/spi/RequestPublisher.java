package io.iocluster.client.spi;

import io.iocluster.transport.PublishResult;
import java.util.concurrent.CompletableFuture;

/** Puts envelopes on a queue. Safe for use by several threads. */
public interface RequestPublisher extends AutoCloseable {

    /**
     * Puts one envelope on the queue, without waiting.
     *
     * @return completes, never exceptionally, when the broker has said how it went; open for as long as the broker is away. To
     *     cancel it withdraws an envelope that is not on its way yet
     */
    CompletableFuture<PublishResult> publish(OutgoingRequest request);

    /** Gives up what is not confirmed yet: its stages complete as failed. */
    @Override
    void close();
}
