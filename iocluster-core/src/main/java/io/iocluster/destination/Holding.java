package io.iocluster.destination;

/**
 * What one destination holds of the node: slots, room to wait, and bytes that its calls reserve for their answers. Confined to its
 * destination's lock.
 */
final class Holding<C extends PendingCall> {

    /** What a destination that is called alone may reserve, as a multiple of what it leaves free. */
    private static final int TIMES_ALONE = 7;

    private final SharedCapacity<C> shared;
    private final boolean configured;
    private final SlotUsage use = new SlotUsage();

    /** The group with which it shares slots, queue space and bytes. */
    private SlotGroup group = new SlotGroup();

    /** How many of the group's waiting calls are its own. */
    private int waiting;

    /** Slots that other destinations leave free for it. */
    private int guaranteed;

    private int inFlight;

    /** Bytes that its calls in flight reserved. */
    private long reserved;

    Holding(SharedCapacity<C> shared, boolean configured) {
        this.shared = shared;
        this.configured = configured;
    }

    int inFlight() {
        return inFlight;
    }

    /**
     * Returns whether it may take one more slot. A destination that is called alone may use all slots. Otherwise it gets its
     * guaranteed slots, and more only while it has fewer than a multiple of the free slots that are not guaranteed.
     *
     * @param times the multiple
     */
    boolean hasSlot(int times) {
        if (!configured && !shared.hasUnconfiguredSlot()) {
            return false;
        }
        if (!shared.several || inFlight < guaranteed) {
            return true;
        }
        long most = (long) times * shared.freeUnguaranteedSlots();
        return inFlight < most && group.inFlight.get() < most;
    }

    /**
     * Returns whether a call may reserve this many bytes: whether all reservations stay within their part of the node's bytes, and
     * those of its group below a multiple of what they leave free of that part. One reservation is always possible.
     */
    boolean hasBytes(long more, int times) {
        long all = shared.reserved.get();
        if (more == 0 || all == 0) {
            return true;
        }
        long left = shared.node.reservableBytes() - all - more;
        return group.reserved.get() + more <= (shared.several ? times : TIMES_ALONE) * left;
    }

    void take(long bytes) {
        if (inFlight < guaranteed) {
            shared.unusedGuarantees.decrementAndGet();
        }
        inFlight++;
        group.inFlight.incrementAndGet();
        if (!configured) {
            shared.unconfigured.incrementAndGet();
        }
        use.callStarted(inFlight);
        reserve(bytes);
    }

    void giveBack(long bytes) {
        inFlight--;
        if (inFlight < guaranteed) {
            shared.unusedGuarantees.incrementAndGet();
        }
        group.inFlight.decrementAndGet();
        if (!configured) {
            shared.unconfigured.decrementAndGet();
        }
        use.callEnded();
        reserve(-bytes);
    }

    private void reserve(long bytes) {
        if (bytes != 0) {
            reserved += bytes;
            group.reserved.addAndGet(bytes);
            shared.reserved.addAndGet(bytes);
        }
    }

    /** Counts a call that is turned away for want of a slot as use, so that the next guarantee includes a slot for it. */
    void ask() {
        use.callStarted(inFlight + 1);
    }

    /** Sets how many calls wait for it. */
    void waits(int calls) {
        group.waiting.addAndGet(calls - waiting);
        waiting = calls;
    }

    /** Returns whether the group leaves room for one more waiting call. */
    boolean hasRoomToWait() {
        return group.waiting.get() < shared.node.freeQueueSlots();
    }

    /** Shares with the members of this group from now on. */
    void join(SlotGroup next) {
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

    /** Sets its number of guaranteed slots. */
    void guarantee(int slots) {
        int unused = Math.max(0, slots - inFlight) - Math.max(0, guaranteed - inFlight);
        shared.unusedGuarantees.addAndGet(unused);
        guaranteed = slots;
    }

    /** Returns its recent use, after accounting for the time since the last sample. */
    SlotUsage use(long nanosSinceLast) {
        use.sample(inFlight, nanosSinceLast);
        return use;
    }
}
