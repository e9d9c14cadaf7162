package io.iocluster.destination;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * A FIFO queue of destinations whose calls wait for bytes or for a slot of the node. Thread-safe. A destination joins and leaves under its
 * lock.
 */
final class DestinationQueue<C extends PendingCall> {

    @GuardedBy("this")
    private final Set<Destination<C>> waiting = new LinkedHashSet<>();

    private volatile Destination<C> first;

    /** Returns the destination whose turn it is; null if none waits. */
    Destination<C> first() {
        return first;
    }

    /**
     * Hands queued calls to workers, one destination after the other, until the first destination does not leave the queue. Each
     * destination has at most one turn.
     */
    void dispatchWhileFirstLeaves() {
        Destination<C> tried = null;
        Destination<C> next = first;
        for (int turns = next == null ? 0 : size(); turns > 0 && next != null && next != tried; turns--) {
            next.dispatchQueued();
            tried = next;
            next = first;
        }
    }

    private synchronized int size() {
        return waiting.size();
    }

    /**
     * Removes the first destination, and hands its queued calls to workers. It joins again, at the end, if it has to wait.
     *
     * @return false if none waits
     */
    boolean dispatchNext() {
        Destination<C> next = first;
        if (next == null) {
            return false;
        }
        leave(next);
        next.dispatchQueued();
        return true;
    }

    /** Adds the destination at the end, unless it waits already. */
    synchronized void join(Destination<C> destination) {
        waiting.add(destination);
        first = waiting.iterator().next();
    }

    /** Removes the destination, if it waits. */
    void leave(Destination<C> destination) {
        if (first != null) {
            remove(destination);
        }
    }

    private synchronized void remove(Destination<C> destination) {
        waiting.remove(destination);
        first = waiting.isEmpty() ? null : waiting.iterator().next();
    }
}
