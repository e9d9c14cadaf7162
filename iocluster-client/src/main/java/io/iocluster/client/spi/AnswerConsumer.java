package io.iocluster.client.spi;

import java.io.IOException;
import java.time.Duration;

/** Reads the answers of one topic or queue. Confined to one thread at a time. */
public interface AnswerConsumer extends AutoCloseable {

    /**
     * Waits for answers, at most for the timeout, and offers each one that has arrived.
     *
     * @param recipient receives each answer; an answer that it refuses is left to other consumers if the broker
     *     supports that
     * @throws IOException if the broker cannot be read now; the message is human-readable
     */
    void poll(Duration timeout, Recipient recipient) throws IOException;

    @Override
    void close();

    /** Receives the answers. */
    @FunctionalInterface
    interface Recipient {

        /** Offers an encoded answer. Returns whether it was accepted. */
        boolean offer(byte[] answer);
    }
}
