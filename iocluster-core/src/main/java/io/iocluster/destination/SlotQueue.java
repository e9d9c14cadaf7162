package io.iocluster.destination;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * A FIFO queue of the destinations whose calls wait only for a slot of the node. A destination that does not need the slot of an ended
 * attempt hands it to the first of them. Otherwise a free slot would stay unused until the next tick, so a node with more
 * destinations than slots would be partly idle. Thread-safe.
 */
final class SlotQueue<C extends PendingCall> {

    @GuardedBy("this")
    private final Set<Destination<C>> waiting = new LinkedHashSet<>();

    private volatile boolean empty = true;

    /** Removes the first destination, and hands its queued calls to workers while there are slots for them. */
    void dispatchNext() {
        Destination<C> next = empty ? null : poll();
        if (next != null) {
            next.dispatchQueued();
        }
    }

    private synchronized Destination<C> poll() {
        Iterator<Destination<C>> all = waiting.iterator();
        if (!all.hasNext()) {
            return null;
        }
        Destination<C> first = all.next();
        all.remove();
        empty = waiting.isEmpty();
        return first;
    }

    /** Adds the destination at the end, unless it waits already. */
    synchronized void join(Destination<C> destination) {
        waiting.add(destination);
        empty = false;
    }

    /** Removes the destination, if it waits. Called under its lock, like {@link #join}, so the read of {@code empty} needs no lock. */
    void leave(Destination<C> destination) {
        if (!empty) {
            remove(destination);
        }
    }

    private synchronized void remove(Destination<C> destination) {
        waiting.remove(destination);
        empty = waiting.isEmpty();
    }
}
