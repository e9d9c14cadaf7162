package io.iocluster.destination;

/** A node whose free capacity the test sets. Calls take its slots; it does not count bytes. */
final class FakeNodeCapacity implements NodeCapacity {

    int places = 1_000;
    /** Slots that calls hold. */
    int taken;
    /** Whether too many answers are unconfirmed for any call to start. */
    boolean full;

    int waiting = 1_000;
    long bytes = 1_000_000;
    long reservable = 1_000;
    /** Runs when a call asks for a slot, before it gets one. */
    Runnable beforeSlot = () -> {};

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

    @Override
    public int answerRoom(int maxAnswerBytes) {
        return 0;
    }

    @Override
    public boolean tryAcquireSlot(boolean hasWaited, int reserve, int answerRoom) {
        beforeSlot.run();
        if (places == 0 || full) {
            return false;
        }
        places--;
        taken++;
        return true;
    }

    @Override
    public void releaseSlot(long reserve, int answerRoom) {
        places++;
        taken--;
    }

    @Override
    public boolean tryReserveBytes(long wanted) {
        return true;
    }

    @Override
    public boolean tryReserveBytesToEncode(long wanted) {
        return true;
    }

    @Override
    public void addBytes(long more) {}

    @Override
    public void callEnded(boolean hadSlot, int answerRoom) {
        if (hadSlot) {
            releaseSlot(0, 0);
        }
    }

    @Override
    public void permitReleased(long released) {}

    @Override
    public void permitWithdrawn(long released) {}

    @Override
    public void permitReleasedTwice() {}
}
