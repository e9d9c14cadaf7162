package io.iocluster.rabbit.sink;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * The messages of one link to one queue: how many the broker has not confirmed, how many it may have, and those that wait because of
 * this limit. Confined to the publisher's loop. RabbitMQ stops reading a connection soon after a channel has 32 unconfirmed messages for
 * one quorum queue ({@code quorum_commands_soft_limit}). So the limit starts below that, and grows only while the queue confirms.
 */
final class QueueWindow {

    /** Half of what a quorum queue takes of one channel before the broker blocks that channel. */
    static final int INITIAL_LIMIT = 16;

    /** Number of unconfirmed messages to one quorum queue with which the broker blocks the channel. */
    static final int BLOCKING = 32;

    private static final long FAST_CONFIRM_NANOS = Duration.ofMillis(500).toNanos();
    /** A confirm that takes this long is late. */
    static final long LATE_CONFIRM_NANOS = Duration.ofSeconds(2).toNanos();

    private final String queue;
    private final int maxLimit;
    private final ArrayDeque<PendingPublish> waiting = new ArrayDeque<>(0);
    private int limit = INITIAL_LIMIT;
    private int unconfirmed;
    private boolean isScheduled;
    private long lastSettledNanos;

    /**
     * Creates a window without messages.
     *
     * @param maxLimit what the limit never exceeds
     */
    QueueWindow(String queue, int maxLimit) {
        this.queue = queue;
        this.maxLimit = maxLimit;
    }

    String queue() {
        return queue;
    }

    /** Returns how many messages the broker has not settled, including messages whose confirm timeout has passed. */
    int unconfirmed() {
        return unconfirmed;
    }

    /** Returns whether the next message may be sent before all that wait. */
    boolean canSendNext() {
        return waiting.isEmpty() && unconfirmed < limit;
    }

    /** Returns whether a waiting message may be sent. */
    boolean canSendWaiting() {
        return !waiting.isEmpty() && unconfirmed < limit;
    }

    /** Adds a message that must wait. */
    void enqueue(PendingPublish publication, long now) {
        publication.waitingSinceNanos = now;
        waiting.add(publication);
    }

    /** Removes the message that has waited longest; null if none waits. */
    PendingPublish pollWaiting() {
        return waiting.poll();
    }

    /** Removes and returns all messages that wait. */
    List<PendingPublish> takeWaiting() {
        List<PendingPublish> all = new ArrayList<>(waiting);
        waiting.clear();
        return all;
    }

    /** Removes and returns the messages that have waited longer than this, unless the broker has settled a message meanwhile. */
    List<PendingPublish> takeOverdue(long now, long maxNanos) {
        List<PendingPublish> overdue = new ArrayList<>(0);
        if (lastSettledNanos != 0 && now - lastSettledNanos <= maxNanos) {
            return overdue;
        }
        while (!waiting.isEmpty() && now - waiting.peek().waitingSinceNanos > maxNanos) {
            overdue.add(waiting.poll());
        }
        return overdue;
    }

    void sent() {
        unconfirmed++;
    }

    /** Removes a message that was not sent after all. */
    void unsent() {
        unconfirmed--;
    }

    /**
     * Removes a message that the broker has confirmed or refused.
     *
     * @param nanos time since it was sent
     */
    void settled(boolean confirmed, long nanos, long now) {
        unconfirmed--;
        lastSettledNanos = now;
        if (!confirmed || nanos >= LATE_CONFIRM_NANOS) {
            limit = INITIAL_LIMIT;
        } else if (!waiting.isEmpty() && nanos < FAST_CONFIRM_NANOS) {
            limit = Math.min(maxLimit, limit + 1);
        }
    }

    boolean hasWaiting() {
        return !waiting.isEmpty();
    }

    boolean isIdle() {
        return unconfirmed == 0 && waiting.isEmpty();
    }

    /** Marks it as listed among those with messages to send. Returns false if it is already listed. */
    boolean schedule() {
        boolean first = !isScheduled;
        isScheduled = true;
        return first;
    }

    void unschedule() {
        isScheduled = false;
    }
}
