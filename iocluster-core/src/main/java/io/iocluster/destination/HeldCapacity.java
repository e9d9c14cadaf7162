package io.iocluster.destination;

import io.iocluster.destination.share.SlotUsage;
import java.util.ArrayList;
import java.util.List;

/**
 * Decides whether one destination may hold more of the node: slots, queue space, bytes of messages, and bytes that its calls reserve for
 * their answers. Confined to its destination's lock.
 *
 * <ul>
 *   <li>A destination always gets the slots that {@link SlotAllocator} guarantees to it.
 *   <li>Beyond them, the group of its address gets more only while it holds less than a multiple of what is free and not guaranteed. With the
 *       multiple m and k groups that want everything, each holds m / (1 + km) of it, and 1 / (1 + km) stays free: Abhijit K. Choudhury and
 *       Ellen L. Hahne, <i>Dynamic Queue Length Thresholds for Shared-Memory Packet Switches</i>, IEEE/ACM Transactions on Networking 6(2),
 *       1998.
 *   <li>Destinations that wait for a slot or for bytes take {@linkplain SharedCapacity turns}.
 * </ul>
 */
final class HeldCapacity<C extends PendingCall> {

    /**
     * Bytes that a destination may reserve while it is called alone, as a multiple of the bytes that it leaves free.
     */
    private static final int ALONE_MULTIPLE = 7;

    /**
     * The part of the message bytes that destinations which have not answered may hold together while several
     * destinations are called: one in this number.
     */
    private static final int PART_OF_UNANSWERED = 2;

    /**
     * The part of the free bytes that a group of such destinations may always use: one in this number. So a new host
     * starts beside a silent one that holds more than half because it was called alone.
     */
    private static final int PART_OF_GROUP = 32;

    /**
     * The part of the free bytes that each destination may always use, even before its address is known: one in this
     * number. It is small, because a producer can invent names.
     */
    private static final int PART_OF_NAME = 128;

    private final Destination<C> owner;
    private final SharedCapacity<C> shared;
    private final boolean configured;
    private final SlotUsage usage = new SlotUsage();

    /** What this destination holds. */
    private final Held own = new Held();

    /** What the group holds that shares slots, queue space and bytes. A destination with an entry is alone in its group. */
    private Held group = own;

    /** All parts of the node to which the destination belongs, beginning with itself. */
    private Held[] path;

    /** Slots that other destinations leave free for this one. */
    private int guaranteed;

    /** Whether the destination has answered, and has not only failed for a long time since. */
    private boolean responsive;

    /** Whether the owner waits for its turn to reserve bytes. */
    private boolean waitsForBytes;

    HeldCapacity(Destination<C> owner, SharedCapacity<C> shared, boolean configured) {
        this.owner = owner;
        this.shared = shared;
        this.configured = configured;
        this.path = newPath();
    }

    private Held[] newPath() {
        List<Held> next = new ArrayList<>(List.of(own));
        if (group != own) {
            next.add(group);
        }
        if (!configured) {
            next.add(shared.unconfigured);
        }
        if (!responsive) {
            next.add(shared.unanswered);
        }
        return next.toArray(Held[]::new);
    }

    /** Leaves all other parts of the node, and joins those to which the destination now belongs. */
    private void changePath() {
        Held[] before = path;
        path = newPath();
        // Added first, so that no part seems to hold less meanwhile.
        addToOthers(path, 1);
        addToOthers(before, -1);
    }

    private void addToOthers(Held[] parts, int sign) {
        for (Held part : parts) {
            if (part != own) {
                part.add(own, sign);
            }
        }
    }

    int inFlight() {
        return own.slots.get();
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
        if (!shared.several || inFlight() < guaranteed) {
            return true;
        }
        long max = (long) multiple * (configured ? shared.freeUnguaranteedSlots() : shared.freeUnconfiguredSlots());
        return group.slots.get() < max;
    }

    /** Returns whether an attempt may start, considering the bytes of its message and its reservation. */
    boolean hasBytes(CallPermit permit, long messageBytes, int multiple) {
        int reserve = permit.responseReserve();
        return hasMessageBytes(messageBytes + reserve, multiple) && canReserve(reserve, multiple);
    }

    /**
     * Returns whether a call with this many bytes may start, so that the node can still read messages for others. A
     * destination that is called alone may use all bytes. Otherwise its group holds at most a multiple of those that
     * are free for it. One call is always possible.
     */
    private boolean hasMessageBytes(long more, int multiple) {
        return !shared.several
                || sharedLimit().bytes.get() == 0
                || group.bytes.get() + more <= multiple * freeMessageBytes()
                || own.bytes.get() + more <= multiple * (shared.node.freeBytes() / PART_OF_NAME);
    }

    /** Returns the free bytes that the destination may use. Those that have not answered share a half of all bytes. */
    private long freeMessageBytes() {
        long free = shared.node.freeBytes();
        if (responsive || !shared.several) {
            return free;
        }
        long used = shared.unanswered.bytes.get() + shared.unanswered.waitingBytes.get();
        long left = shared.node.maxMessageBytes() / PART_OF_UNANSWERED - used;
        return Math.min(free, Math.max(left, free / PART_OF_GROUP));
    }

    /** Returns the group that may always have one call. */
    private Held sharedLimit() {
        return responsive || !shared.several ? group : shared.unanswered;
    }

    /**
     * Returns whether a call may reserve this many bytes. All reservations together must stay within {@link
     * NodeCapacity#reservableBytes}. The reservations of the group must stay within a multiple of the bytes that are free after this one.
     * A group without a reservation gets its first one in its {@linkplain SharedCapacity#reservationQueue turn}, if enough bytes are free.
     * One reservation is always possible.
     */
    private boolean canReserve(long more, int multiple) {
        if (more == 0) {
            return true;
        }
        Destination<C> next = shared.reservationQueue.first();
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

    /** Returns whether a call waits only because other groups have reserved all bytes. */
    boolean lacksFirstReservation(C call, int multiple) {
        int reserve = call.permit().responseReserve();
        return group.reserved.get() == 0
                && hasSlot(multiple)
                && hasMessageBytes(call.queuedBytes() + reserve, multiple)
                && !canReserve(reserve, multiple);
    }

    /** Sets whether the owner waits for its turn to reserve bytes. */
    void setWaitsForBytes(boolean waits) {
        if (waits == waitsForBytes) {
            return;
        }
        waitsForBytes = waits;
        if (waits) {
            shared.reservationQueue.join(owner);
        } else {
            shared.reservationQueue.leave(owner);
        }
    }

    /** Takes a slot, and counts the bytes of an attempt's message and reservation. */
    void acquire(CallPermit permit, long messageBytes) {
        if (inFlight() < guaranteed) {
            shared.addUnusedGuarantees(-1, configured);
        }
        permit.setCountedBytes(messageBytes + permit.responseReserve());
        addInFlight(1, permit);
        usage.callStarted(inFlight());
    }

    /** Gives back the slot and the bytes of an attempt. */
    void release(CallPermit permit) {
        addInFlight(-1, permit);
        if (inFlight() < guaranteed) {
            shared.addUnusedGuarantees(1, configured);
        }
        usage.callEnded();
    }

    private void addInFlight(int sign, CallPermit permit) {
        long reserve = sign * permit.responseReserve();
        for (Held part : path) {
            part.addInFlight(sign, sign * permit.countedBytes(), reserve);
        }
        if (reserve != 0) {
            shared.reserved.addAndGet(reserve);
        }
    }

    /** Counts a call that got no slot as usage, so that the next guarantee includes a slot for it. */
    void recordDeniedSlot() {
        usage.callStarted(inFlight() + 1);
    }

    /** Sets the number of calls that wait for the destination, and the bytes of their messages. */
    void setWaiting(int calls, long bytes) {
        int more = calls - own.waiting.get();
        long moreBytes = bytes - own.waitingBytes.get();
        for (Held part : path) {
            part.addWaiting(more, moreBytes);
        }
    }

    /**
     * Returns whether one more call may wait: whether the group has fewer waiting calls than there are free queue
     * slots, and no more bytes than are free for it.
     */
    boolean hasQueueSpace(long bytes) {
        return group.waiting.get() < shared.node.freeQueueSlots()
                && (sharedLimit().waitingBytes.get() == 0 || group.waitingBytes.get() + bytes <= freeMessageBytes());
    }

    /** Sets whether the destination has answered, and has not only failed for a long time since. */
    void setResponsive(boolean answers) {
        if (answers != responsive) {
            responsive = answers;
            changePath();
        }
    }

    /** Records that the destination has answered a call. */
    void recordAnswer(long nowNanos) {
        own.recordAnswer(nowNanos);
        group.recordAnswer(nowNanos);
    }

    /** Returns whether the group has calls in flight and none of its members has answered within this time. */
    boolean isSilent(long nowNanos, long nanos) {
        return group.slots.get() > 0 && !group.hasAnsweredWithin(nowNanos, nanos);
    }

    /** Moves what the destination holds to another group. */
    void joinGroup(Held next) {
        if (next != group) {
            group = next;
            changePath();
        }
    }

    /** Sets the number of guaranteed slots. */
    void setGuaranteed(int slots) {
        int unused = Math.max(0, slots - inFlight()) - Math.max(0, guaranteed - inFlight());
        shared.addUnusedGuarantees(unused, configured);
        guaranteed = slots;
    }

    /** Adds the time since the last sample to the usage, and returns the usage. */
    SlotUsage sampleUsage(long nanosSinceLast) {
        usage.sample(inFlight(), nanosSinceLast);
        return usage;
    }
}
