package io.iocluster.rabbit.sink;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * What one channel has sent and the broker has not confirmed, by the numbers that both count: the first message of a channel is 1.
 * Confined to the publisher's loop.
 */
final class UnconfirmedPublishes {

    private PendingPublish[] ring = new PendingPublish[1_024];
    private long first = 1;
    private long next = 1;
    private int size;

    /** The next message of the channel. */
    void add(PendingPublish publication) {
        if (next - first == ring.length) {
            grow();
        }
        ring[slot(next)] = publication;
        next++;
        size++;
    }

    /** The last one was not sent after all, and its number is the next one's. */
    void removeLast() {
        next--;
        ring[slot(next)] = null;
        size--;
    }

    /** Passes on what the broker speaks of, the oldest first. */
    void settle(long number, boolean withAllBelow, Consumer<PendingPublish> taker) {
        for (long each = withAllBelow ? first : number; each <= number; each++) {
            take(each, taker);
        }
        forgetEmpty();
    }

    /**
     * Passes on the oldest ones, up to the first of which that does not hold.
     *
     * @return whether there was any
     */
    boolean removeLate(Predicate<PendingPublish> late, Consumer<PendingPublish> taker) {
        int before = size;
        forgetEmpty();
        while (first < next && late.test(ring[slot(first)])) {
            take(first, taker);
            forgetEmpty();
        }
        return size < before;
    }

    private void forgetEmpty() {
        while (first < next && ring[slot(first)] == null) {
            first++;
        }
    }

    private void take(long number, Consumer<PendingPublish> taker) {
        if (number < first || number >= next) {
            return;
        }
        PendingPublish publication = ring[slot(number)];
        if (publication != null) {
            ring[slot(number)] = null;
            size--;
            taker.accept(publication);
        }
    }

    /** The oldest one of which that holds, or null. */
    PendingPublish find(Predicate<PendingPublish> wanted) {
        for (long each = first; each < next; each++) {
            PendingPublish publication = ring[slot(each)];
            if (publication != null && wanted.test(publication)) {
                return publication;
            }
        }
        return null;
    }

    /** Gives away all, the oldest first, and begins at 1 again. */
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
