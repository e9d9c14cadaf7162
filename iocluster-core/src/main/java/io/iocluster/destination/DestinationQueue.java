package io.iocluster.destination;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * A FIFO queue of the destinations that wait for bytes, because their group has reserved none and none are free. While it is not empty,
 * only its first destination may reserve bytes. Otherwise a destination with a backlog would take the bytes of each call that ends, and
 * the others would never get any. Thread-safe.
 */
final class ReservationQueue<C extends PendingCall> {

    @GuardedBy("this")
    private final Set<Destination<C>> waiting = new LinkedHashSet<>();

    private volatile Destination<C> first;

    /** Returns the destination that gets the next free bytes; null if none waits for them. */
    Destination<C> first() {
        return first;
    }

    /** Hands queued calls of the first destination to workers, and then of the next ones while there are bytes for them. */
    void dispatch() {
        Destination<C> tried = null;
        for (Destination<C> next = first; next != null && next != tried; next = first) {
            next.dispatchQueued();
            tried = next;
        }
    }

    /** Adds the destination at the end, unless it waits already. */
    synchronized void join(Destination<C> destination) {
        waiting.add(destination);
        first = waiting.iterator().next();
    }

    /** Removes the destination, if it waits. */
    synchronized void leave(Destination<C> destination) {
        waiting.remove(destination);
        first = waiting.isEmpty() ? null : waiting.iterator().next();
    }
}
