package io.iocluster.rabbit.source;

import io.iocluster.rabbit.connection.InspectedMessage;

/**
 * Moving average of the message size. Publishes a value only when it reaches another power of two, because each one may change
 * the prefetch. Confined to the loop, except {@link #published}.
 */
final class MeanMessageSize {

    /** The average covers about this many messages. */
    private static final int MESSAGES = 64;

    private final Runnable onPublish;
    private volatile long published = Prefetch.INITIAL_MESSAGE_BYTES;
    private long bytes = Prefetch.INITIAL_MESSAGE_BYTES;

    /**
     * Creates an average of {@link Prefetch#INITIAL_MESSAGE_BYTES}.
     *
     * @param onPublish runs on the loop after a new value was published
     */
    MeanMessageSize(Runnable onPublish) {
        this.onPublish = onPublish;
    }

    /** Returns the published average in bytes. Any thread. */
    long published() {
        return published;
    }

    /**
     * Adds a message. The first one replaces the initial value. One that exceeded the budget counts at once if it is larger
     * than the average, so that large messages after small ones do not fill the memory.
     */
    void add(InspectedMessage message) {
        long size = message.fullBytes();
        if (bytes == Prefetch.INITIAL_MESSAGE_BYTES || (!message.isWithinBudget() && size > bytes)) {
            bytes = size;
            publish();
        } else if (message.isWithinBudget()) {
            bytes += (size - bytes) / MESSAGES;
        }
    }

    /** Publishes the average if it is in another power of two than the published one. */
    void publish() {
        if (Long.highestOneBit(bytes) != Long.highestOneBit(published)) {
            published = bytes;
            onPublish.run();
        }
    }
}
