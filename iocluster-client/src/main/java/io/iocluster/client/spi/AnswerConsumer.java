package io.iocluster.client.spi;

import java.io.IOException;
import java.time.Duration;

/** Follows the answers at one place. Confined to one thread at a time. */
public interface AnswerConsumer extends AutoCloseable {

    /**
     * Waits for answers, at most so long, and offers each that has come.
     *
     * @param taker is offered each; what it does not take is left to whom it is for, where the broker can do that
     * @throws IOException if the broker cannot be read now; the message is for people
     */
    void poll(Duration within, Recipient taker) throws IOException;

    @Override
    void close();

    /** Who the answers are for. */
    @FunctionalInterface
    interface Recipient {

        /** Looks at an encoded answer, and says whether it was taken. */
        boolean offer(byte[] answer);
    }
}
