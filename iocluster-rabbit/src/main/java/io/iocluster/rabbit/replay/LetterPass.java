package io.iocluster.rabbit.replay;

import com.rabbitmq.client.Connection;
import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.thread.Platform;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads a number of messages from the head of the dead-letter queue once. Those that are not removed return to it in their order.
 * Confined to one thread; methods block.
 */
final class LetterPass implements AutoCloseable {

    private final String queue;
    private final String requestQueue;
    private final QueueReader reader;
    private final DeliveryLimit limit;
    private long unread;
    private long removed;

    LetterPass(Connection connection, RabbitSettings settings, Platform platform)
            throws IOException, InterruptedException {
        this.queue = settings.deadLetters().queue();
        this.requestQueue = settings.requests().queue();
        this.limit = new DeliveryLimit(connection, queue, settings.confirmTimeout());
        this.reader = new QueueReader(connection, queue, platform);
    }

    /** Returns the number of other consumers of the queue. */
    int countConsumers() throws IOException {
        return reader.countConsumers();
    }

    /** Counts the messages that exist now. */
    long countReady() throws IOException, InterruptedException {
        return reader.countReady();
    }

    /** Sets the number of messages to read. */
    void limit(long messages) {
        unread = messages;
    }

    /** Returns the next messages; empty at the end. */
    List<Letter> next() throws IOException, InterruptedException {
        removeRenewed();
        if (unread <= 0) {
            return List.of();
        }
        List<Letter> letters = new ArrayList<>();
        for (Message message : reader.next((int) Math.min(unread, Integer.MAX_VALUE))) {
            letters.add(Letter.of(message, queue, requestQueue));
        }
        unread -= letters.size();
        return letters;
    }

    /** Removes the letter from the queue. */
    void remove(Letter letter) throws IOException {
        reader.acknowledge(letter.message());
        removed++;
    }

    /** Leaves the letter on the queue. */
    void keep(Letter letter) throws IOException {
        limit.renewIfNear(letter);
    }

    private void removeRenewed() throws IOException, InterruptedException {
        for (Letter renewed : limit.renewed()) {
            remove(renewed);
        }
    }

    /** Returns the number of letters that are no longer at the head of the queue. */
    long removed() {
        return removed;
    }

    /**
     * Returns the other letters to the queue.
     *
     * @return whether it is certain that the removed ones will not return
     */
    boolean settle() throws IOException, InterruptedException {
        removeRenewed();
        return reader.settle();
    }

    @Override
    public void close() {
        limit.close();
        reader.close();
    }
}
