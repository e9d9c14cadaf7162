package io.iocluster.rabbit.ledger;

import java.io.IOException;
import java.util.ArrayDeque;

/**
 * The deliveries of one channel that the broker waits for, in the order of their tags. An acknowledgement speaks for many only
 * over what is done from the lowest of them up, without a gap; what is done above an open one waits a moment for the gap to close
 * and is then acknowledged by itself. Confined to the source's loop. Linked through the entries, so that nothing is allocated.
 */
public final class TagLedger {

    private static final int OPEN = 0;
    private static final int DONE = 1;
    private static final int CLOSED = 2;

    private final ArrayDeque<TagEntry> done = new ArrayDeque<>();
    private TagEntry first;
    private TagEntry last;
    private int size;
    private int waiting;
    private long lastTag;
    private long earlierUpTo;
    private int earlier;
    private long acknowledgements;
    private boolean gapless = true;

    /** One delivery. A ledger's own fields are for it alone. */
    abstract static class TagEntry {

        private final long tag;
        private int state;
        private long doneAt;
        private TagEntry previous;
        private TagEntry next;

        TagEntry(long tag) {
            this.tag = tag;
        }

        long tag() {
            return tag;
        }
    }

    /** The broker, as far as it hears of tags. */
    public interface AckChannel {

        void acknowledge(long tag, boolean withAllBelow) throws IOException;

        void requeue(long tag) throws IOException;
    }

    /** The channel delivered it. */
    public void add(TagEntry entry) {
        // Else a number below a done one might belong to what never came, and must not be acknowledged with it.
        gapless &= entry.tag == lastTag + 1;
        lastTag = entry.tag;
        entry.previous = last;
        if (last == null) {
            first = entry;
        } else {
            last.next = entry;
        }
        last = entry;
        size++;
    }

    /** It may be acknowledged. */
    public void markDone(TagEntry entry, long now) {
        if (entry.state == OPEN) {
            entry.state = DONE;
            entry.doneAt = now;
            done.add(entry);
            waiting++;
        }
    }

    /** Gives it back to the broker at once. */
    void requeue(TagEntry entry, AckChannel broker) throws IOException {
        if (entry.state == OPEN) {
            close(entry);
            broker.requeue(entry.tag);
        }
    }

    /** Waits for another in place of an open one, under the same tag. */
    public void replace(TagEntry open, TagEntry fresh) {
        fresh.previous = open.previous;
        fresh.next = open.next;
        if (fresh.previous == null) {
            first = fresh;
        } else {
            fresh.previous.next = fresh;
        }
        if (fresh.next == null) {
            last = fresh;
        } else {
            fresh.next.previous = fresh;
        }
        open.state = CLOSED;
        open.previous = null;
        open.next = null;
    }

    /**
     * Acknowledges what is done from the lowest up, and of the rest what was done so long ago.
     *
     * @param patience in nanoseconds
     */
    void acknowledge(long now, long patience, AckChannel broker) throws IOException {
        acknowledgePrefix(broker);
        for (TagEntry next = done.peek(); next != null; next = done.peek()) {
            if (next.state == DONE) {
                if (now - next.doneAt < patience) {
                    return;
                }
                close(next);
                waiting--;
                acknowledgements++;
                broker.acknowledge(next.tag, false);
            }
            done.poll();
        }
    }

    private void acknowledgePrefix(AckChannel broker) throws IOException {
        TagEntry highest = null;
        int count = 0;
        while (first != null && first.state == DONE && (gapless || count == 0)) {
            highest = first;
            close(highest);
            count++;
        }
        waiting -= count;
        if (highest != null) {
            acknowledgements++;
            broker.acknowledge(highest.tag, count > 1);
        }
    }

    private void close(TagEntry entry) {
        entry.state = CLOSED;
        if (entry.previous == null) {
            first = entry.next;
        } else {
            entry.previous.next = entry.next;
        }
        if (entry.next == null) {
            last = entry.previous;
        } else {
            entry.next.previous = entry.previous;
        }
        entry.previous = null;
        entry.next = null;
        size--;
        if (entry.tag <= earlierUpTo) {
            earlier--;
        }
    }

    /** Marks all deliveries that are unacknowledged now as {@link #earlier}. */
    public int countAllAsCancelled() {
        earlierUpTo = lastTag;
        earlier = size;
        return earlier;
    }

    /** Returns how many deliveries from before the last {@link #countAllAsCancelled} are still unacknowledged. */
    public int unacknowledgedOfCancelled() {
        return earlier;
    }

    /** The one delivered first of those that the broker waits for, or null. */
    public TagEntry first() {
        return first;
    }

    /** How many the broker waits for. */
    public int size() {
        return size;
    }

    /** How many of them are done and not acknowledged. */
    public int pendingAcks() {
        return waiting;
    }

    /** How often the broker was told, of one or of many. */
    public long acksSent() {
        return acknowledgements;
    }

    /** When the one was done that waits longest for its acknowledgement; only where some {@linkplain #waiting wait}. */
    public long oldestPendingAckNanos() {
        while (done.element().state == CLOSED) {
            done.poll();
        }
        return done.element().doneAt;
    }
}
