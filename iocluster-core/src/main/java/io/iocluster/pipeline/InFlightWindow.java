package io.iocluster.pipeline;

import io.iocluster.destination.NodeCapacity;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How much the node holds at once: calls that are open, calls that wait for their turn at a destination, calls that have ended
 * and whose answers the broker has not yet confirmed, and the bytes of all three. Permits are acquired on the source's thread
 * alone and come back on any. A call makes room for the next when it ends, not when its answer is confirmed, so that a slow
 * broker costs no calls; while it waits it takes no place of those that are open.
 */
final class InFlightWindow implements NodeCapacity {

    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicInteger unconfirmed = new AtomicInteger();
    private final AtomicInteger held = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();
    /** The bytes that open calls without a reservation may take for their answers. */
    private final AtomicLong headroom = new AtomicLong();

    private final Runnable roomFreed;

    /** Permits acquired and not withdrawn since the start. Written by the source's thread. */
    private volatile long acquired;

    private volatile int maxUnconfirmed;
    private volatile int maxWaiting;
    /** How many answers wait for slow reply places, and do not count towards {@code maxUnconfirmed}. */
    private volatile int excused;

    private volatile int maxCalls;
    private volatile long maxBytes;
    /** How many calls may be open: as many as ever, or none while the window is held. */
    private volatile int places;
    /** Whether nothing is let in. */
    private volatile boolean shut;

    private volatile CompletableFuture<Void> idle;

    /**
     * A window.
     *
     * @param roomFreed run after each call that ends and each permit that comes back, on the thread that says so
     */
    InFlightWindow(int maxCalls, int maxUnconfirmed, int maxWaiting, long maxBytes, Runnable roomFreed) {
        this.maxCalls = maxCalls;
        this.places = maxCalls;
        this.maxUnconfirmed = maxUnconfirmed;
        this.maxWaiting = maxWaiting;
        this.maxBytes = maxBytes;
        this.roomFreed = roomFreed;
    }

    /**
     * Takes one call's first bytes, where a place is free for it. A message larger than the whole window is let in when it is
     * alone, for otherwise it would wait for ever.
     *
     * @return null if there is no room now
     */
    CallPermit tryAcquire(long firstBytes) {
        if (shut || calls.get() >= places || isUnconfirmedFull()) {
            return null;
        }
        long used = bytes.get();
        if (used != 0 && used + firstBytes > maxMessageBytes()) {
            return null;
        }
        count();
        bytes.addAndGet(firstBytes);
        return new CallPermit(this, firstBytes);
    }

    /** For one of several calls of a message that holds its bytes already. */
    CallPermit acquireBranch() {
        count();
        return new CallPermit(this, 0);
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // One writer: the source's thread.
    private void count() {
        held.incrementAndGet();
        acquired++;
    }

    /**
     * Takes a place among the open calls.
     *
     * @param hasWaited whether the call has been in a line: it stays there while too many answers are unconfirmed, whereas one
     *     that was just taken in begins
     * @param reserve bytes to take too; if they do not fit, no slot is taken, except that a call that is alone starts anyway
     * @param answerRoom bytes to keep free for the call's answer, under the same condition
     */
    boolean tryAcquireSlot(boolean hasWaited, int reserve, int answerRoom) {
        if (hasWaited && isUnconfirmedFull()) {
            return false;
        }
        int now = calls.get();
        while (now < places) {
            if (calls.compareAndSet(now, now + 1)) {
                if ((reserve == 0 || tryReserveBytes(reserve)) && (answerRoom == 0 || tryKeepFree(answerRoom))) {
                    return true;
                }
                if (now == 0) {
                    addBytes(reserve);
                    headroom.addAndGet(answerRoom);
                    return true;
                }
                calls.decrementAndGet();
                return false;
            }
            now = calls.get();
        }
        return false;
    }

    private boolean isUnconfirmedFull() {
        return unconfirmed.get() - excused >= maxUnconfirmed;
    }

    /** Sets how many of the unconfirmed answers do not count towards {@code maxUnconfirmed}. */
    void setExemptAnswers(int answers) {
        int before = excused;
        excused = answers;
        if (answers > before) {
            roomFreed.run();
        }
    }

    void releaseSlot() {
        calls.decrementAndGet();
        roomFreed.run();
    }

    /**
     * Returns how many bytes to keep free for an answer of at most this size. All open calls together get at most five eighths of
     * the window, so that it never has fewer slots than calls because of them.
     */
    int answerRoom(int most) {
        return (int) Math.min(most, maxBytes / 8 * 5 / Math.max(1, maxCalls));
    }

    private boolean tryKeepFree(int answerRoom) {
        if (bytes.get() + headroom.addAndGet(answerRoom) > maxBytes) {
            headroom.addAndGet(-answerRoom);
            return false;
        }
        return true;
    }

    /** The call has its answer, or will have none. */
    void releaseAnswerRoom(int answerRoom) {
        headroom.addAndGet(-answerRoom);
    }

    /** Takes bytes to encode an answer, if the open calls still have room for theirs. */
    boolean tryTakeBytesToEncode(long more) {
        if (bytes.addAndGet(more) + headroom.get() > maxBytes) {
            bytes.addAndGet(-more);
            return false;
        }
        return true;
    }

    boolean tryReserveBytes(long more) {
        if (bytes.addAndGet(more) > maxBytes) {
            bytes.addAndGet(-more);
            return false;
        }
        return true;
    }

    /** Takes bytes whether or not there is room. */
    void addBytes(long more) {
        bytes.addAndGet(more);
    }

    void releaseBytes(long taken) {
        bytes.addAndGet(-taken);
    }

    /** Messages leave a quarter of the bytes to the answers of calls in flight. */
    private long maxMessageBytes() {
        return maxBytes - maxBytes / 4;
    }

    void endCall(boolean hadPlace) {
        unconfirmed.incrementAndGet();
        if (hadPlace) {
            calls.decrementAndGet();
        }
        roomFreed.run();
    }

    void releasePermit(long taken) {
        unconfirmed.decrementAndGet();
        release(taken);
        roomFreed.run();
    }

    /** As if it had never been acquired; nobody is told, for whoever offered the call waits for something else. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // One writer: the source's thread.
    void withdraw(long taken) {
        acquired--;
        release(taken);
    }

    private void release(long taken) {
        bytes.addAndGet(-taken);
        int left = held.decrementAndGet();
        CompletableFuture<Void> waiting = idle;
        if (left == 0 && waiting != null) {
            waiting.complete(null);
        }
    }

    /** Completes when nothing is held; to be asked for once, after the last permit was acquired. */
    CompletableFuture<Void> whenIdle() {
        CompletableFuture<Void> waiting = new CompletableFuture<>();
        idle = waiting;
        if (held.get() == 0) {
            waiting.complete(null);
        }
        return waiting;
    }

    /** A lower limit takes nothing away from the calls that are open; they end and are not replaced. */
    void resize(int newMaxCalls, int newMaxUnconfirmed, int newMaxWaiting, long newMaxBytes) {
        maxCalls = newMaxCalls;
        places = newMaxCalls;
        maxUnconfirmed = newMaxUnconfirmed;
        maxWaiting = newMaxWaiting;
        maxBytes = newMaxBytes;
        roomFreed.run();
    }

    /** Lets nothing in until {@link #resume}. */
    void pauseIntake() {
        shut = true;
    }

    /** Lets nothing begin either until {@link #resume}; what is open goes on. */
    void pauseStarts() {
        places = 0;
    }

    /** Lets in and begin what there is room for. */
    void resume() {
        places = maxCalls;
        shut = false;
        roomFreed.run();
    }

    /** Open now. */
    int inFlight() {
        return calls.get();
    }

    /** Open, waiting or unconfirmed. */
    int held() {
        return held.get();
    }

    /** Waiting for their turn. */
    int waiting() {
        return Math.max(0, held.get() - calls.get() - unconfirmed.get());
    }

    /** Unconfirmed answers that do not count towards {@code maxUnconfirmed}. */
    int exemptAnswers() {
        return excused;
    }

    /** Ended, and waiting for the broker. */
    int unconfirmed() {
        return unconfirmed.get();
    }

    /** Returns how many calls have ended since the start; exact only while no call starts or ends. */
    long endedCalls() {
        return settledCalls() + unconfirmed.get();
    }

    /** Returns how many permits were released since the start; exact only while no call starts or ends. */
    long settledCalls() {
        return acquired - held.get();
    }

    int maxInFlight() {
        return maxCalls;
    }

    int maxUnconfirmed() {
        return maxUnconfirmed;
    }

    long bytes() {
        return bytes.get();
    }

    long maxBytes() {
        return maxBytes;
    }

    @Override
    public int slots() {
        return maxCalls;
    }

    @Override
    public int freeSlots() {
        return places - calls.get();
    }

    @Override
    public int freeQueueSlots() {
        return maxWaiting - waiting();
    }

    /** Returns five eighths of the bytes, so that reservations leave an eighth to new messages. */
    @Override
    public long reservableBytes() {
        return maxBytes / 8 * 5;
    }

    @Override
    public long freeBytes() {
        return maxMessageBytes() - bytes.get();
    }
}
