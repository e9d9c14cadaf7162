package io.iocluster.destination;

/** A node whose room is the test's. */
final class FakeNodeCapacity implements NodeCapacity {

    int places = 1_000;
    /** Slots that calls hold. */
    int taken;
    /** Whether too many answers wait for the broker for any call to begin. */
    boolean full;

    int waiting = 1_000;
    long bytes = 1_000_000;
    long reservable = 1_000;

    @Override
    public int slots() {
        return places + taken;
    }

    @Override
    public int freeSlots() {
        return places;
    }

    @Override
    public int freeQueueSlots() {
        return waiting;
    }

    @Override
    public long freeBytes() {
        return bytes;
    }

    @Override
    public long reservableBytes() {
        return reservable;
    }
}
