package io.iocluster.rabbit.ledger;

import java.io.IOException;
import java.util.ArrayDeque;

/**
 * The unacknowledged deliveries of one channel in the order of their tags. Confined to the source's loop. One acknowledgement
 * with {@code multiple} covers the contiguous run of done deliveries from the lowest tag. A done delivery above an open one
 * waits a short time for the gap to close and is then acknowledged alone. The entries form a linked list, so that tracking
 * allocates nothing.
 */
public final class TagLedger {

    private static final int OPEN = 0;
    private static final int DONE = 1;
    private static final int CLOSED = 2;

    private final ArrayDeque<TagEntry> done = new ArrayDeque<>();
    private TagEntry first;
    private TagEntry last;
    private int size;
    private int pending;
    private long lastTag;
    private long cancelledUpTo;
    private int cancelled;
    private long acksSent;
    private boolean gapless = true;

    /** One delivery. Only the ledger uses the private fields. */
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

    /** Sends acknowledgements to the broker. */
    public interface AckChannel {

        void acknowledge(long tag, boolean multiple) throws IOException;

        void requeue(long tag) throws IOException;
    }

    /** Adds a delivery of the channel. */
    public void add(TagEntry entry) {
        // After a gap, an acknowledgement with multiple could cover a tag that this ledger never saw.
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

    /** Marks the delivery for acknowledgement. No effect if it is not open. */
    public void markDone(TagEntry entry, long now) {
        if (entry.state == OPEN) {
            entry.state = DONE;
            entry.doneAt = now;
            done.add(entry);
            pending++;
        }
    }

    /** Requeues an open delivery at the broker. */
    void requeue(TagEntry entry, AckChannel broker) throws IOException {
        if (entry.state == OPEN) {
            close(entry);
            broker.requeue(entry.tag);
        }
    }

    /** Replaces an open entry with another one of the same tag. */
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
     * Acknowledges the contiguous run of done deliveries from the lowest tag, and each one above that was done at least
     * {@code maxDelay} ago.
     *
     * @param maxDelay in nanoseconds
     */
    void acknowledge(long now, long maxDelay, AckChannel broker) throws IOException {
        acknowledgePrefix(broker);
        for (TagEntry next = done.peek(); next != null; next = done.peek()) {
            if (next.state == DONE) {
                if (now - next.doneAt < maxDelay) {
                    return;
                }
                close(next);
                pending--;
                acksSent++;
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
        pending -= count;
        if (highest != null) {
            acksSent++;
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
        if (entry.tag <= cancelledUpTo) {
            cancelled--;
        }
    }

    /**
     * Counts all unacknowledged deliveries as those of cancelled consumers.
     *
     * @return their number
     */
    public int countAllAsCancelled() {
        cancelledUpTo = lastTag;
        cancelled = size;
        return cancelled;
    }

    /** Returns how many deliveries from before the last {@link #countAllAsCancelled} are still unacknowledged. */
    public int unacknowledgedOfCancelled() {
        return cancelled;
    }

    /** Returns the unacknowledged delivery with the lowest tag, or null. */
    public TagEntry first() {
        return first;
    }

    /** Returns the number of unacknowledged deliveries. */
    public int size() {
        return size;
    }

    /** Returns how many deliveries are done and not acknowledged yet. */
    public int pendingAcks() {
        return pending;
    }

    /** Returns how many acknowledgements were sent, each for one or many deliveries. */
    public long acksSent() {
        return acksSent;
    }

    /** Returns when the oldest pending acknowledgement was marked done. Requires {@link #pendingAcks} above 0. */
    public long oldestPendingAckNanos() {
        while (done.element().state == CLOSED) {
            done.poll();
        }
        return done.element().doneAt;
    }
}
