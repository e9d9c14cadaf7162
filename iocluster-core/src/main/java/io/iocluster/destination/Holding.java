package io.iocluster.destination;

/**
 * Counts what one destination holds of the node: slots, queue space, and bytes that its calls reserve for their
 * answers. Confined to its destination's lock.
 *
 * <p>The shares follow Abhijit K. Choudhury and Ellen L. Hahne, <i>Dynamic Queue Length Thresholds for Shared-Memory
 * Packet Switches</i>, IEEE/ACM Transactions on Networking 6(2), 1998. A destination gets more only while it has less
 * than a multiple of what is free, so some capacity always stays free.
 */
final class Holding<C extends PendingCall> {

    /**
     * Bytes that a destination may reserve while it is called alone, as a multiple of the bytes that it leaves free.
     */
    private static final int ALONE_MULTIPLE = 7;

    private final Destination<C> owner;
    private final SharedCapacity<C> shared;
    private final boolean configured;
    private final SlotUsage usage = new SlotUsage();

    /** The group that shares slots, queue space and bytes. */
    private SlotGroup group = new SlotGroup();

    /** Waiting calls of this destination. */
    private int waiting;

    /** Slots that other destinations leave free for this one. */
    private int guaranteed;

    private int inFlight;

    /** Bytes that its calls in flight reserved. */
    private long reserved;

    /** Whether the owner waits for its turn to reserve bytes. */
    private boolean waitsForBytes;

    Holding(Destination<C> owner, SharedCapacity<C> shared, boolean configured) {
        this.owner = owner;
        this.shared = shared;
        this.configured = configured;
    }

    int inFlight() {
        return inFlight;
    }

    /**
     * Returns whether the destination may take one more slot. A destination that is called alone may use all slots.
     * Otherwise it gets its guaranteed slots, and more only while it has fewer than a multiple of the free slots that
     * are not guaranteed.
     */
    boolean hasSlot(int multiple) {
        if (!configured && !shared.hasUnconfiguredSlot()) {
            return false;
        }
        if (!shared.several || inFlight < guaranteed) {
            return true;
        }
        long max = (long) multiple * shared.freeUnguaranteedSlots();
        return inFlight < max && group.inFlight.get() < max;
    }

    /**
     * Returns whether a call may reserve this many bytes. All reservations must stay within {@link
     * NodeCapacity#reservableBytes}, and those of the group within a multiple of the bytes that then remain of it. A
     * group that holds none needs only room for its first reservation, and gets it in its {@linkplain ByteTurns turn}.
     * One reservation is always possible.
     */
    boolean hasBytes(long more, int multiple) {
        if (more == 0) {
            return true;
        }
        Destination<C> next = shared.byteTurns.first();
        if (next != null && next != owner) {
            return false;
        }
        long all = shared.reserved.get();
        long held = group.reserved.get();
        long left = shared.node.reservableBytes() - all - more;
        if (all == 0 || held == 0) {
            return all == 0 || left >= 0;
        }
        return held + more <= (shared.several ? multiple : ALONE_MULTIPLE) * left;
    }

    /** Returns whether a call that needs this many bytes waits only because other groups hold all of them. */
    boolean lacksFirstBytes(long more, int multiple) {
        return group.reserved.get() == 0 && hasSlot(multiple) && !hasBytes(more, multiple);
    }

    /** Sets whether the owner waits for its turn to reserve bytes. */
    void setWaitsForBytes(boolean waits) {
        if (waits == waitsForBytes) {
            return;
        }
        waitsForBytes = waits;
        if (waits) {
            shared.byteTurns.join(owner);
        } else {
            shared.byteTurns.leave(owner);
        }
    }

    /** Takes a slot and reserves bytes for an attempt. */
    void acquire(long bytes) {
        if (inFlight < guaranteed) {
            shared.unusedGuarantees.decrementAndGet();
        }
        inFlight++;
        group.inFlight.incrementAndGet();
        if (!configured) {
            shared.unconfigured.incrementAndGet();
        }
        usage.callStarted(inFlight);
        reserve(bytes);
    }

    /** Returns the slot and the reserved bytes of an attempt. */
    void release(long bytes) {
        inFlight--;
        if (inFlight < guaranteed) {
            shared.unusedGuarantees.incrementAndGet();
        }
        group.inFlight.decrementAndGet();
        if (!configured) {
            shared.unconfigured.decrementAndGet();
        }
        usage.callEnded();
        reserve(-bytes);
    }

    private void reserve(long bytes) {
        if (bytes != 0) {
            reserved += bytes;
            group.reserved.addAndGet(bytes);
            shared.reserved.addAndGet(bytes);
        }
    }

    /** Counts a call that got no slot as usage, so that the next guarantee includes a slot for it. */
    void recordDeniedSlot() {
        usage.callStarted(inFlight + 1);
    }

    /** Sets the number of calls that wait for the destination. */
    void setWaiting(int calls) {
        group.waiting.addAndGet(calls - waiting);
        waiting = calls;
    }

    /**
     * Returns whether one more call may wait: whether the group has fewer waiting calls than there are free queue
     * slots.
     */
    boolean hasQueueSpace() {
        return group.waiting.get() < shared.node.freeQueueSlots();
    }

    /** Moves what the destination holds to another group. */
    void joinGroup(SlotGroup next) {
        if (next == group) {
            return;
        }
        group.inFlight.addAndGet(-inFlight);
        group.waiting.addAndGet(-waiting);
        group.reserved.addAndGet(-reserved);
        group = next;
        group.inFlight.addAndGet(inFlight);
        group.waiting.addAndGet(waiting);
        group.reserved.addAndGet(reserved);
    }

    /** Sets the number of guaranteed slots. */
    void setGuaranteed(int slots) {
        int unused = Math.max(0, slots - inFlight) - Math.max(0, guaranteed - inFlight);
        shared.unusedGuarantees.addAndGet(unused);
        guaranteed = slots;
    }

    /** Adds the time since the last sample to the usage, and returns the usage. */
    SlotUsage sampleUsage(long nanosSinceLast) {
        usage.sample(inFlight, nanosSinceLast);
        return usage;
    }
}
