package io.iocluster.destination;

import io.iocluster.destination.share.SlotUsage;

/**
 * Counts what one destination holds of the node: slots, queue space, bytes of messages, and bytes that its calls
 * reserve for their answers. Confined to its destination's lock.
 *
 * <p>The shares follow Abhijit K. Choudhury and Ellen L. Hahne, <i>Dynamic Queue Length Thresholds for Shared-Memory
 * Packet Switches</i>, IEEE/ACM Transactions on Networking 6(2), 1998. A destination gets more only while it has less
 * than a multiple of what is free, so some capacity always stays free.
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

    /** The group that shares slots, queue space and bytes. */
    private SlotGroup group = new SlotGroup();

    /** Waiting calls of this destination, and the bytes of their messages. */
    private int waiting;

    private long waitingBytes;

    /** Slots that other destinations leave free for this one. */
    private int guaranteed;

    private int inFlight;

    /** Bytes that its calls in flight reserved. */
    private long reserved;

    /** Bytes of the messages of its calls in flight, with the reservations. */
    private long inFlightBytes;

    /** Whether the destination has answered, and has not only failed for a long time since. */
    private boolean responsive;

    /** Whether the destination has ever answered, and when it did for the last time. */
    private boolean answered;

    private long answeredNanos;

    /** Whether the owner waits for its turn to reserve bytes. */
    private boolean waitsForBytes;

    HeldCapacity(Destination<C> owner, SharedCapacity<C> shared, boolean configured) {
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
        long max = (long) multiple * (configured ? shared.freeUnguaranteedSlots() : shared.freeUnconfiguredSlots());
        return inFlight < max && group.inFlight.get() < max;
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
                || sharedLimit().inFlightBytes.get() == 0
                || group.inFlightBytes.get() + more <= multiple * freeMessageBytes()
                || inFlightBytes + more <= multiple * (shared.node.freeBytes() / PART_OF_NAME);
    }

    /** Returns the free bytes that the destination may use. Those that have not answered share a half of all bytes. */
    private long freeMessageBytes() {
        long free = shared.node.freeBytes();
        if (responsive || !shared.several) {
            return free;
        }
        long used = shared.unanswered.inFlightBytes.get() + shared.unanswered.waitingBytes.get();
        long left = shared.node.maxMessageBytes() / PART_OF_UNANSWERED - used;
        return Math.min(free, Math.max(left, free / PART_OF_GROUP));
    }

    /** Returns the group that may always have one call. */
    private SlotGroup sharedLimit() {
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
        if (inFlight < guaranteed) {
            shared.addUnusedGuarantees(-1, configured);
        }
        inFlight++;
        group.inFlight.incrementAndGet();
        if (!configured) {
            shared.unconfigured.incrementAndGet();
        }
        usage.callStarted(inFlight);
        reserve(permit.responseReserve());
        permit.setCountedBytes(messageBytes + permit.responseReserve());
        addInFlightBytes(permit.countedBytes());
    }

    /** Gives back the slot and the bytes of an attempt. */
    void release(CallPermit permit) {
        inFlight--;
        if (inFlight < guaranteed) {
            shared.addUnusedGuarantees(1, configured);
        }
        group.inFlight.decrementAndGet();
        if (!configured) {
            shared.unconfigured.decrementAndGet();
        }
        usage.callEnded();
        reserve(-permit.responseReserve());
        addInFlightBytes(-permit.countedBytes());
    }

    private void addInFlightBytes(long bytes) {
        inFlightBytes += bytes;
        group.inFlightBytes.addAndGet(bytes);
        if (!responsive) {
            shared.unanswered.inFlightBytes.addAndGet(bytes);
        }
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

    /** Sets the number of calls that wait for the destination, and the bytes of their messages. */
    void setWaiting(int calls, long bytes) {
        group.waiting.addAndGet(calls - waiting);
        group.waitingBytes.addAndGet(bytes - waitingBytes);
        if (!responsive) {
            shared.unanswered.waitingBytes.addAndGet(bytes - waitingBytes);
        }
        waiting = calls;
        waitingBytes = bytes;
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
            int sign = answers ? -1 : 1;
            shared.unanswered.inFlightBytes.addAndGet(sign * inFlightBytes);
            shared.unanswered.waitingBytes.addAndGet(sign * waitingBytes);
        }
    }

    /** Records that the destination has answered a call. */
    void recordAnswer(long nowNanos) {
        answered = true;
        answeredNanos = nowNanos;
        group.recordAnswer(nowNanos);
    }

    /** Returns whether the group has calls in flight and none of its members has answered within this time. */
    boolean isSilent(long nowNanos, long nanos) {
        return group.inFlight.get() > 0 && !group.hasAnsweredWithin(nowNanos, nanos);
    }

    /** Moves what the destination holds to another group. */
    void joinGroup(SlotGroup next) {
        if (next == group) {
            return;
        }
        group.inFlight.addAndGet(-inFlight);
        group.waiting.addAndGet(-waiting);
        group.reserved.addAndGet(-reserved);
        group.inFlightBytes.addAndGet(-inFlightBytes);
        group.waitingBytes.addAndGet(-waitingBytes);
        group = next;
        if (answered) {
            group.recordAnswer(answeredNanos);
        }
        group.inFlight.addAndGet(inFlight);
        group.waiting.addAndGet(waiting);
        group.reserved.addAndGet(reserved);
        group.inFlightBytes.addAndGet(inFlightBytes);
        group.waitingBytes.addAndGet(waitingBytes);
    }

    /** Sets the number of guaranteed slots. */
    void setGuaranteed(int slots) {
        int unused = Math.max(0, slots - inFlight) - Math.max(0, guaranteed - inFlight);
        shared.addUnusedGuarantees(unused, configured);
        guaranteed = slots;
    }

    /** Adds the time since the last sample to the usage, and returns the usage. */
    SlotUsage sampleUsage(long nanosSinceLast) {
        usage.sample(inFlight, nanosSinceLast);
        return usage;
    }
}
