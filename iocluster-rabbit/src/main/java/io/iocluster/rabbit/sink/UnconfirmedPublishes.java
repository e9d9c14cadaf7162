package io.iocluster.rabbit.sink;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The published and unconfirmed messages of one channel, by publish sequence number: the first message of a channel is 1. Confined
 * to the publisher's loop.
 */
final class UnconfirmedPublishes {

    private PendingPublish[] ring = new PendingPublish[1_024];
    private long first = 1;
    private long next = 1;
    private int size;

    /** Adds the next message of the channel. */
    void add(PendingPublish publication) {
        if (next - first == ring.length) {
            grow();
        }
        ring[slot(next)] = publication;
        next++;
        size++;
    }

    /** Removes the last message, which was not sent. The next one gets its number. */
    void removeLast() {
        next--;
        ring[slot(next)] = null;
        size--;
    }

    /** Removes the message with this number, with {@code multiple} also all older ones, oldest first. */
    void settle(long number, boolean multiple, Consumer<PendingPublish> consumer) {
        for (long each = multiple ? first : number; each <= number; each++) {
            take(each, consumer);
        }
        skipEmpty();
    }

    /**
     * Removes the oldest messages up to the first that is not late.
     *
     * @return whether any was removed
     */
    boolean removeLate(Predicate<PendingPublish> late, Consumer<PendingPublish> consumer) {
        int before = size;
        skipEmpty();
        while (first < next && late.test(ring[slot(first)])) {
            take(first, consumer);
            skipEmpty();
        }
        return size < before;
    }

    private void skipEmpty() {
        while (first < next && ring[slot(first)] == null) {
            first++;
        }
    }

    private void take(long number, Consumer<PendingPublish> consumer) {
        if (number < first || number >= next) {
            return;
        }
        PendingPublish publication = ring[slot(number)];
        if (publication != null) {
            ring[slot(number)] = null;
            size--;
            consumer.accept(publication);
        }
    }

    /** Returns the oldest message that matches, or null. */
    PendingPublish find(Predicate<PendingPublish> matcher) {
        for (long each = first; each < next; each++) {
            PendingPublish publication = ring[slot(each)];
            if (publication != null && matcher.test(publication)) {
                return publication;
            }
        }
        return null;
    }

    /** Removes and returns all messages, oldest first, and restarts the numbers at 1. */
    List<PendingPublish> takeAll() {
        List<PendingPublish> all = new ArrayList<>(size);
        settle(next - 1, true, all::add);
        first = 1;
        next = 1;
        return all;
    }

    int size() {
        return size;
    }

    private void grow() {
        PendingPublish[] larger = new PendingPublish[ring.length * 2];
        for (long each = first; each < next; each++) {
            larger[(int) (each & (larger.length - 1))] = ring[slot(each)];
        }
        Arrays.fill(ring, null);
        ring = larger;
    }

    private int slot(long number) {
        return (int) (number & (ring.length - 1));
    }
}
