package io.iocluster.door.call;

import java.util.concurrent.CompletionStage;

/** Puts stored calls on a queue, in the order of the calls of {@link #forward}. Thread-safe. */
public interface Forwarder {

    /** Returns whether there has been a connection to the broker. It may be interrupted now. */
    boolean isConnected();

    /**
     * Puts a call on the queue and waits for its answer. Does not block. Must not be called before {@link #isConnected} returns true.
     *
     * @throws IllegalArgumentException if the envelope is not valid
     */
    Forwarding forward(StoredCall call);

    /**
     * A call on its way. Neither stage completes exceptionally.
     *
     * @param published completes when the broker has the call, or when the call has ended
     * @param result means nothing if the call is {@link Publication#NOT_CONFIRMED}
     */
    record Forwarding(CompletionStage<Publication> published, CompletionStage<CallResult> result) {}

    /** Whether a forwarded call must be forwarded again. */
    enum Publication {
        /** The broker has the call. */
        CONFIRMED,
        /** The call has ended without a confirmation: its deadline has passed, or the broker never accepts it. */
        ENDED,
        /** The broker may not have the call. It must be forwarded again. */
        NOT_CONFIRMED
    }
}
