package io.iocluster.pipeline.capacity;

import io.iocluster.destination.NodeCapacity;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts what the second attempts of calls take of the window: slots and bytes. They are not calls themselves, so they count neither as
 * held nor as unconfirmed, and their end is not the end of a call. Thread-safe.
 */
final class HedgeCapacity implements NodeCapacity {

    private final InFlightWindow window;
    private final AtomicInteger inFlight = new AtomicInteger();

    HedgeCapacity(InFlightWindow window) {
        this.window = window;
    }

    /** Returns the second attempts in flight. */
    int inFlight() {
        return inFlight.get();
    }

    @Override
    public boolean tryAcquireSlot(boolean hasWaited, int reserve, int answerHeadroom) {
        boolean acquired = window.tryAcquireSlot(hasWaited, reserve, answerHeadroom);
        if (acquired) {
            inFlight.incrementAndGet();
        }
        return acquired;
    }

    @Override
    public void releaseSlot(long reserve, int answerHeadroom) {
        inFlight.decrementAndGet();
        window.releaseSlot(reserve, answerHeadroom);
    }

    @Override
    public void callEnded(boolean hadSlot, int answerHeadroom) {
        if (hadSlot) {
            releaseSlot(0, answerHeadroom);
        }
    }

    @Override
    public void permitReleased(long bytes) {
        window.releaseBytes(bytes);
    }

    @Override
    public void permitWithdrawn(long bytes) {
        permitReleased(bytes);
    }

    @Override
    public void permitReleasedTwice() {
        window.permitReleasedTwice();
    }

    @Override
    public boolean tryReserveBytes(long wanted) {
        return window.tryReserveBytes(wanted);
    }

    @Override
    public boolean tryReserveBytesToEncode(long wanted) {
        return window.tryReserveBytesToEncode(wanted);
    }

    @Override
    public void addBytes(long more) {
        window.addBytes(more);
    }

    @Override
    public boolean tryKeepResult(long bytes, long keptByMessage) {
        return window.tryKeepResult(bytes, keptByMessage);
    }

    @Override
    public void releaseResults(long bytes) {
        window.releaseResults(bytes);
    }

    @Override
    public int answerHeadroom(int maxAnswerBytes) {
        return window.answerHeadroom(maxAnswerBytes);
    }

    @Override
    public int slots() {
        return window.slots();
    }

    @Override
    public int freeSlots() {
        return window.freeSlots();
    }

    @Override
    public int freeQueueSlots() {
        return window.freeQueueSlots();
    }

    @Override
    public long freeBytes() {
        return window.freeBytes();
    }

    @Override
    public long maxMessageBytes() {
        return window.maxMessageBytes();
    }

    @Override
    public long reservableBytes() {
        return window.reservableBytes();
    }

    @Override
    public NodeCapacity forHedges() {
        return this;
    }
}
