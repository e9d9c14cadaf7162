package io.iocluster.destination;

import io.iocluster.destination.limit.BreakerChange;
import io.iocluster.destination.policy.ClusterShare;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * State that all destinations of a node share. Thread-safe. Written by {@link DestinationRegistry#tick} and by each
 * destination under its own lock.
 */
final class SharedCapacity<C extends PendingCall> {

    private static final long COLD_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** Maximum number of destinations that get a turn at a free slot when an attempt ends. The first ones may hold too many slots already. */
    private static final int MAX_TURNS = 4;

    final NodeCapacity node;

    /** Hands a granted call to a worker. */
    final Consumer<C> workers;

    /** Destinations that have waiting calls. */
    final Set<Destination<C>> withQueue = ConcurrentHashMap.newKeySet();

    /** Destinations that an operator paused or limited. */
    final Set<Destination<C>> overridden = ConcurrentHashMap.newKeySet();

    /** Whether several destinations were called recently, so that each must leave slots and bytes free for the others. */
    volatile boolean several;

    /** When calls began after a time without any. */
    private volatile long callsSinceNanos;

    /** The first destination that was called recently; null if none was. */
    private volatile Destination<C> first;

    /** Guaranteed slots that are not in use now. */
    final AtomicInteger unusedGuarantees = new AtomicInteger();

    /** What all destinations without an entry hold. */
    final Held unconfigured = new Held();

    /** The part of {@link #unusedGuarantees} that belongs to destinations without an entry. */
    final AtomicInteger unusedGuaranteesOfUnconfigured = new AtomicInteger();

    /** Bytes that calls in flight reserve for their answers. */
    final AtomicLong reserved = new AtomicLong();

    /** What all destinations hold that have not answered. */
    final Held unanswered = new Held();

    /**
     * Destinations that wait for bytes, because their group has reserved none and none are free. While it is not empty, only its first
     * destination may reserve bytes. Otherwise a destination with a backlog would take the bytes of each call that ends, and the others would
     * never get any.
     */
    final DestinationQueue<C> reservationQueue = new DestinationQueue<>();

    /**
     * Destinations whose calls wait only for a slot. Each gets its turn when an attempt has ended whose destination does not need the slot,
     * and goes to the end of the queue: deficit round robin (Shreedhar and Varghese, <i>Efficient Fair Queueing using Deficit Round
     * Robin</i>, SIGCOMM 1995), in which each call costs one, because it needs one slot. So none gets a second turn before all others that
     * wait have had one.
     */
    final DestinationQueue<C> slotQueue = new DestinationQueue<>();

    /** Maximum of the slots of {@link #unconfigured}, in percent of all slots. */
    volatile int unconfiguredPercent = 100;

    /** Destinations that were called recently, answer and have no waiting calls. The node should keep reading for them. */
    volatile Set<Destination<C>> starved = Set.of();

    /** The mean time of the answers of the fastest {@link #starved} destination; 0 if there is none. */
    volatile long fastestStarvedNanos;

    /** This node's share of the limits for the cluster. */
    volatile ClusterShare clusterShare = ClusterShare.WHOLE;

    /** Changes of breakers that are not logged yet, because a destination does not log under its lock. */
    final Queue<BreakerChange> breakerChanges = new ConcurrentLinkedQueue<>();

    SharedCapacity(NodeCapacity node, Consumer<C> workers) {
        this.node = node;
        this.workers = workers;
    }

    /** Records a call to this destination. As soon as a second one is called, the first may no longer use all slots. */
    void recordCall(Destination<C> destination, long nowNanos) {
        if (several || first == destination) {
            return;
        }
        if (first == null) {
            callsSinceNanos = nowNanos;
            first = destination;
        } else {
            several = true;
        }
    }

    /** Returns whether calls began so recently that the node, its connections and its targets may still be slow for that reason. */
    boolean isCold(long nowNanos) {
        return nowNanos - callsSinceNanos < COLD_NANOS;
    }

    /** Sets the first destination that was called recently, and whether there are others. */
    void setRecentlyCalled(Destination<C> firstCalled, boolean hasOthers) {
        first = firstCalled;
        several = hasOthers;
    }

    /** Adds to the unused guarantees, if a destination takes or releases a guaranteed slot, or gets another guarantee. */
    void addUnusedGuarantees(int slots, boolean configured) {
        unusedGuarantees.addAndGet(slots);
        if (!configured) {
            unusedGuaranteesOfUnconfigured.addAndGet(slots);
        }
    }

    /** Returns the free slots that are not guaranteed to any destination. */
    int freeUnguaranteedSlots() {
        return node.freeSlots() - unusedGuarantees.get();
    }

    /**
     * Returns the free slots that are not guaranteed and that a destination without an entry may take: without those that
     * {@code workers.max-unconfigured-percent} leaves to entries.
     */
    int freeUnconfiguredSlots() {
        int free = freeUnguaranteedSlots();
        return unconfiguredPercent == 100
                ? free
                : Math.min(free, maxUnconfigured() - unconfigured.slots.get() - unusedGuaranteesOfUnconfigured.get());
    }

    /** Hands queued calls of other destinations to workers, if the bytes or the slot of an ended attempt let them start. */
    void dispatchOthers() {
        reservationQueue.dispatchWhileFirstLeaves();
        Destination<C> firstTried = slotQueue.first();
        int turns = 0;
        while (turns < MAX_TURNS && freeUnguaranteedSlots() > 0 && slotQueue.dispatchNext()) {
            // If all have had a turn, none can use the slot.
            turns = slotQueue.first() == firstTried ? MAX_TURNS : turns + 1;
        }
    }

    /** Returns the maximum of the slots of {@link #unconfigured}. It is rounded up, so that a small node has at least one slot for them. */
    int maxUnconfigured() {
        return (int) (((long) node.slots() * unconfiguredPercent + 99) / 100);
    }

    /** Returns whether the destinations without an entry may take one more slot. */
    boolean hasUnconfiguredSlot() {
        return unconfiguredPercent == 100 || unconfigured.slots.get() < maxUnconfigured();
    }

    /** Returns whether a destination other than this one was called recently, answers and has no waiting calls. */
    boolean isAnotherStarved(Destination<C> destination) {
        Set<Destination<C>> all = starved;
        return all.size() > (all.contains(destination) ? 1 : 0);
    }
}
