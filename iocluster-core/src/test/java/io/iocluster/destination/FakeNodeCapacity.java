package io.iocluster.destination;

/** A node whose free capacity the test sets. Calls take its slots; it does not count bytes. */
final class FakeNodeCapacity implements NodeCapacity {

    int freeSlots = 1_000;
    /** Slots that calls hold. */
    int takenSlots;
    /** Whether too many answers are unconfirmed for any call to start. */
    boolean full;

    int freeQueueSlots = 1_000;
    long freeBytes = 1_000_000;
    long maxMessageBytes = 1_000_000;
    long reservableBytes = 1_000;
    /** Thrown when a call ends; null for nothing. */
    RuntimeException callEndedDefect;

    /** Calls whose permit was released. */
    int released;
    /** Runs when a call asks for a slot, before it gets one. */
    Runnable beforeSlot = () -> {};
    /** Runs after the free slots are read, before the reader uses them. */
    Runnable afterFreeSlots = () -> {};

    @Override
    public int slots() {
        return freeSlots + takenSlots;
    }

    @Override
    public int freeSlots() {
        int read = freeSlots;
        afterFreeSlots.run();
        return read;
    }

    @Override
    public int freeQueueSlots() {
        return freeQueueSlots;
    }

    @Override
    public long freeBytes() {
        return freeBytes;
    }

    @Override
    public long maxMessageBytes() {
        return maxMessageBytes;
    }

    @Override
    public long reservableBytes() {
        return reservableBytes;
    }

    @Override
    public boolean tryKeepResult(long bytes, long keptByMessage) {
        return true;
    }

    @Override
    public void releaseResults(long bytes) {}

    @Override
    public int answerHeadroom(int maxAnswerBytes) {
        return 0;
    }

    @Override
    public boolean tryAcquireSlot(boolean hasWaited, int reserve, int answerHeadroom) {
        beforeSlot.run();
        if (freeSlots == 0 || full) {
            return false;
        }
        freeSlots--;
        takenSlots++;
        return true;
    }

    @Override
    public void releaseSlot(long reserve, int answerHeadroom) {
        freeSlots++;
        takenSlots--;
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
    public void hedgeStarted() {}

    @Override
    public void callEnded(boolean hadSlot, int answerHeadroom, boolean hedge) {
        if (hadSlot) {
            releaseSlot(0, 0);
        }
        if (callEndedDefect != null) {
            throw callEndedDefect;
        }
    }

    @Override
    public void permitReleased(long bytes, boolean hedge) {
        released++;
    }

    @Override
    public void permitWithdrawn(long released) {}

    @Override
    public void permitReleasedTwice() {}
}
