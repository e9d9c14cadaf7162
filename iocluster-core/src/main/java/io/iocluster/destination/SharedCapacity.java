package io.iocluster.destination;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * What destinations know of each other and of the node. Written by {@link DestinationRegistry#tick} and by each destination under its
 * own lock; read from any thread.
 */
final class SharedCapacity<C extends PendingCall> {

    final NodeCapacity node;

    /** Hands a granted call to a worker. */
    final Consumer<C> workers;

    /** Those that have somebody in their line. */
    final Set<Destination<C>> withQueue = ConcurrentHashMap.newKeySet();

    /** Whether several were called of late, so that each has to leave room for the others. */
    volatile boolean several;

    /** The first destination that was called recently; null if none was. */
    private volatile Destination<C> first;

    /** Guaranteed slots that are not in use now. */
    final AtomicInteger unusedGuarantees = new AtomicInteger();

    /** Slots that destinations without an entry hold together. */
    final AtomicInteger unconfigured = new AtomicInteger();

    /** Bytes that calls in flight reserve for their answers. */
    final AtomicLong reserved = new AtomicLong();

    /** Most of these slots, in percent of all slots. */
    volatile int unconfiguredPercent = 100;

    /** Those that were called of late and have nobody waiting, so that the node should read on for them. */
    volatile Set<Destination<C>> hungry = Set.of();

    SharedCapacity(NodeCapacity node, Consumer<C> workers) {
        this.node = node;
        this.workers = workers;
    }

    /** Records a call to this destination. As soon as a second one is called, the first may no longer use all slots. */
    void recordCall(Destination<C> destination) {
        if (several || first == destination) {
            return;
        }
        if (first == null) {
            first = destination;
        } else {
            several = true;
        }
    }

    /** Returns the destinations that were called recently. */
    void setRecentlyCalled(Destination<C> one, boolean another) {
        first = one;
        several = another;
    }

    /** Returns the free slots that are not guaranteed to any destination. */
    int freeUnguaranteedSlots() {
        return node.freeSlots() - unusedGuarantees.get();
    }

    boolean hasUnconfiguredSlot() {
        int percent = unconfiguredPercent;
        return percent == 100 || unconfigured.get() * 100L < (long) node.slots() * percent;
    }

    boolean isAnotherStarved(Destination<C> than) {
        Set<Destination<C>> all = hungry;
        return all.size() > (all.contains(than) ? 1 : 0);
    }
}
