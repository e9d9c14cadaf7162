package io.iocluster.rabbit.sink;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
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
    /** Messages that may stay unconfirmed for long. In the ring they would keep the slots of all later messages. */
    private final NavigableMap<Long, PendingPublish> setAside = new TreeMap<>();

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
        settleSetAside(number, multiple, consumer);
        for (long each = multiple ? first : number; each <= number; each++) {
            take(each, consumer);
        }
        skipEmpty();
    }

    private void settleSetAside(long number, boolean multiple, Consumer<PendingPublish> consumer) {
        if (setAside.isEmpty()) {
            return;
        }
        if (multiple) {
            NavigableMap<Long, PendingPublish> settled = setAside.headMap(number, true);
            List<PendingPublish> taken = new ArrayList<>(settled.values());
            settled.clear();
            taken.forEach(consumer);
        } else {
            PendingPublish taken = setAside.remove(number);
            if (taken != null) {
                consumer.accept(taken);
            }
        }
    }

    /**
     * Sets the oldest messages aside, up to the first that is not late.
     *
     * @param consumer gets each of them and returns what replaces it
     * @return whether there was any
     */
    boolean setLateAside(Predicate<PendingPublish> late, Expiry consumer) {
        boolean any = false;
        skipEmpty();
        while (first < next && late.test(ring[slot(first)])) {
            long number = first;
            take(number, publication -> setAside.put(number, consumer.expire(publication)));
            any = true;
            skipEmpty();
        }
        for (var each : setAside.entrySet()) {
            if (!each.getValue().isDone() && late.test(each.getValue())) {
                each.setValue(consumer.expire(each.getValue()));
                any = true;
            }
        }
        return any;
    }

    /** Ends a message whose confirm is late. */
    @FunctionalInterface
    interface Expiry {

        /** Returns what stands for the message until the broker settles it. */
        PendingPublish expire(PendingPublish late);
    }

    /** Sets the messages to the queue of this window aside. */
    void setAside(QueueWindow window) {
        for (long each = first; each < next; each++) {
            PendingPublish publication = ring[slot(each)];
            if (publication != null && publication.window == window) {
                long number = each;
                take(number, taken -> setAside.put(number, taken));
            }
        }
        skipEmpty();
    }

    /** Passes the messages that were sent at this time or before, oldest first, without those set aside. */
    void forEachSentBefore(long nanos, Consumer<PendingPublish> consumer) {
        for (long each = first; each < next; each++) {
            PendingPublish publication = ring[slot(each)];
            if (publication != null) {
                if (publication.sentNanos - nanos > 0) {
                    return;
                }
                consumer.accept(publication);
            }
        }
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
        for (PendingPublish publication : setAside.values()) {
            if (matcher.test(publication)) {
                return publication;
            }
        }
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
        List<PendingPublish> all = new ArrayList<>(size + setAside.size());
        settle(next - 1, true, all::add);
        first = 1;
        next = 1;
        return all;
    }

    /** Returns the number of messages without those set aside. */
    int size() {
        return size;
    }

    int setAsideCount() {
        return setAside.size();
    }

    /** Returns whether messages are set aside and all of them have expired. */
    boolean hasOnlyExpiredSetAside() {
        return !setAside.isEmpty() && setAside.values().stream().allMatch(PendingPublish::isCancelled);
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
