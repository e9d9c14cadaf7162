package io.iocluster.transport.cluster;

import java.time.Duration;

/**
 * Carries small records between the nodes of a cluster, over the broker. Thread-safe. Only {@link #close} blocks.
 *
 * <p>Delivery is best effort: a record may be lost, late or repeated, and anyone with write access to the topic or exchange can send
 * one. A broker outage only stops the records. The channel reconnects by itself and never affects the source or the sink.
 */
public interface ClusterChannel {

    /** Maximum size of a record in bytes. A larger one is dropped and counted. */
    int MAX_RECORD_BYTES = 32 << 10;

    /** Maximum number of records that a channel delivers in a second. More are dropped and counted. */
    int MAX_RECORDS_PER_SECOND = 1_000;

    /** Receives the records. */
    @FunctionalInterface
    interface Listener {

        /**
         * Receives a record, announced by this or by another node. Called on one thread of the channel, which it must not block.
         *
         * @param record untrusted; at most {@link #MAX_RECORD_BYTES} bytes
         */
        void received(byte[] record);
    }

    /**
     * Starts connecting. Returns at once, even if the broker is unreachable. Records that were announced before the connection
     * exists are not delivered.
     *
     * @throws IllegalStateException if called twice
     */
    void start(Listener listener);

    /**
     * Announces the record to all nodes, including this one. Returns at once. Replaces an earlier record that has not been sent yet.
     *
     * @param record the channel keeps the array; callers never write to it again
     * @throws IllegalArgumentException if it is larger than {@link #MAX_RECORD_BYTES}
     */
    void announce(byte[] record);

    /** Returns the current status without a request to the broker. */
    ClusterChannelStatus status();

    /**
     * Announces a last record, if the broker is reachable, and disconnects.
     *
     * @param last null for none
     * @param timeout positive
     */
    void close(byte[] last, Duration timeout);
}
