package io.iocluster.pipeline.capacity;

import io.iocluster.destination.CallPermit;
import io.iocluster.destination.NodeCapacity;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits what the node holds at once: calls in flight, calls that wait, ended calls whose answers are unconfirmed, and the bytes of all
 * three. A call frees its slot when it ends, not when its answer is confirmed, so that a slow broker costs no calls. A waiting call
 * has no slot. Thread-safe; only the poll thread acquires permits.
 */
public final class InFlightWindow implements NodeCapacity {

    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicInteger unconfirmed = new AtomicInteger();
    private final AtomicInteger held = new AtomicInteger();
    private final ByteBudget bytes;
    private final AtomicLong duplicateReleases = new AtomicLong();
    /** Second attempts in flight. They have slots, but are neither held nor unconfirmed, because they are no calls. */
    private final AtomicInteger hedges = new AtomicInteger();

    private final Runnable capacityAvailable;

    /** Permits acquired and not withdrawn since the start. Written by the poll thread. */
    private volatile long acquired;

    private volatile int maxUnconfirmed;
    private volatile int maxWaiting;
    /** Answers that wait for slow reply topics or queues and do not count towards {@code maxUnconfirmed}. */
    private volatile int exemptAnswers;

    private volatile int maxInFlight;
    /** The slots that calls may use now: {@code maxInFlight}, or none while starts are paused. */
    private volatile int usableSlots;

    private volatile boolean intakePaused;
    private volatile CompletableFuture<Void> idle;

    /**
     * Creates an empty window.
     *
     * @param capacityAvailable runs after each call that ends and each permit that is released, on the thread that does so
     */
    public InFlightWindow(
            int maxInFlight, int maxUnconfirmed, int maxWaiting, long maxBytes, Runnable capacityAvailable) {
        this.maxInFlight = maxInFlight;
        this.usableSlots = maxInFlight;
        this.maxUnconfirmed = maxUnconfirmed;
        this.maxWaiting = maxWaiting;
        this.bytes = new ByteBudget(maxBytes);
        this.capacityAvailable = capacityAvailable;
    }

    /**
     * Acquires a waiting permit for a message of this size. A message larger than the whole window gets one when the window is empty,
     * because it would otherwise wait for ever. Poll thread only.
     *
     * @return null if a limit is reached now
     */
    public CallPermit tryAcquire(long messageBytes) {
        if (intakePaused || inFlight.get() >= usableSlots || isUnconfirmedFull()) {
            return null;
        }
        if (!bytes.canAcceptMessage(messageBytes)) {
            return null;
        }
        countAcquired();
        bytes.add(messageBytes);
        return new CallPermit(this, messageBytes);
    }

    /** Acquires a waiting permit for one branch of a message whose bytes are already counted. Poll thread only. */
    public CallPermit acquireBranch() {
        countAcquired();
        return new CallPermit(this, 0);
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // Only the poll thread writes it.
    private void countAcquired() {
        held.incrementAndGet();
        acquired++;
    }

    @Override
    public boolean tryAcquireSlot(boolean hasWaited, int reserve, int headroom) {
        // Checked before a slot is taken, so that the source never finds a slot taken by a call that cannot start.
        if ((hasWaited && isUnconfirmedFull()) || (inFlight.get() > 0 && !bytes.canStartAttempt(reserve, headroom))) {
            return false;
        }
        int before = inFlight.get();
        while (before < usableSlots) {
            if (inFlight.compareAndSet(before, before + 1)) {
                if (bytes.tryStartAttempt(reserve, headroom, before == 0)) {
                    return true;
                }
                inFlight.decrementAndGet();
                // The source may have found no free slot meanwhile.
                capacityAvailable.run();
                return false;
            }
            before = inFlight.get();
        }
        return false;
    }

    private boolean isUnconfirmedFull() {
        return unconfirmed.get() - exemptAnswers >= maxUnconfirmed;
    }

    /** Sets how many of the unconfirmed answers do not count towards {@code maxUnconfirmed}. */
    public void setExemptAnswers(int answers) {
        int before = exemptAnswers;
        exemptAnswers = answers;
        if (answers > before) {
            capacityAvailable.run();
        }
    }

    @Override
    public void releaseSlot(long reserve, int headroom) {
        bytes.add(-reserve);
        bytes.releaseAnswerHeadroom(headroom);
        inFlight.decrementAndGet();
        capacityAvailable.run();
    }

    /**
     * {@inheritDoc}
     *
     * <p>All calls in flight together get at most five eighths of the window, so that slots and not bytes limit the calls.
     */
    @Override
    public int answerHeadroom(int maxAnswerBytes) {
        return (int) Math.min(maxAnswerBytes, bytes.reservableBytes() / Math.max(1, maxInFlight));
    }

    @Override
    public boolean tryReserveBytesToEncode(long wanted) {
        return bytes.tryReserveBesideAnswerHeadroom(wanted);
    }

    @Override
    public boolean tryReserveBytes(long wanted) {
        return bytes.tryReserve(wanted);
    }

    /** {@inheritDoc} One message gets at most half, so that it never takes the bytes of all others. */
    @Override
    public boolean tryKeepResult(long wanted, long keptByMessage) {
        return bytes.tryKeepResult(wanted, keptByMessage);
    }

    /** Returns the maximum bytes of results that all messages with several calls may keep. One message may keep half of that. */
    public long maxResults() {
        return bytes.maxResults();
    }

    @Override
    public void releaseResults(long released) {
        bytes.releaseResults(released);
    }

    @Override
    public void addBytes(long more) {
        bytes.add(more);
    }

    /** {@inheritDoc} They leave a quarter of the window to the answers of calls in flight. */
    @Override
    public long maxMessageBytes() {
        return bytes.maxMessageBytes();
    }

    @Override
    public void hedgeStarted() {
        hedges.incrementAndGet();
    }

    @Override
    public void callEnded(boolean hadSlot, int headroom, boolean hedge) {
        if (!hedge) {
            unconfirmed.incrementAndGet();
        } else if (hadSlot) {
            hedges.decrementAndGet();
        }
        if (hadSlot) {
            bytes.releaseAnswerHeadroom(headroom);
            inFlight.decrementAndGet();
        }
        capacityAvailable.run();
    }

    @Override
    public void permitReleased(long released, boolean hedge) {
        if (hedge) {
            bytes.add(-released);
        } else {
            unconfirmed.decrementAndGet();
            remove(released);
        }
        capacityAvailable.run();
    }

    /** {@inheritDoc} Does not signal capacity, because the source that withdraws the call waits for something else. */
    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // Only the poll thread writes it.
    public void permitWithdrawn(long released) {
        acquired--;
        remove(released);
    }

    @Override
    public void permitReleasedTwice() {
        duplicateReleases.incrementAndGet();
    }

    private void remove(long released) {
        bytes.add(-released);
        int left = held.decrementAndGet();
        CompletableFuture<Void> waiting = idle;
        if (left == 0 && waiting != null) {
            waiting.complete(null);
        }
    }

    /** Returns a future that completes when nothing is held. Call it once, after the last permit was acquired. */
    public CompletableFuture<Void> whenIdle() {
        CompletableFuture<Void> waiting = new CompletableFuture<>();
        idle = waiting;
        if (held.get() == 0) {
            waiting.complete(null);
        }
        return waiting;
    }

    /** Applies new limits. Calls in flight beyond a lower limit continue, and are not replaced when they end. */
    public void resize(int newMaxInFlight, int newMaxUnconfirmed, int newMaxWaiting, long newMaxBytes) {
        maxInFlight = newMaxInFlight;
        usableSlots = newMaxInFlight;
        maxUnconfirmed = newMaxUnconfirmed;
        maxWaiting = newMaxWaiting;
        bytes.resize(newMaxBytes);
        capacityAvailable.run();
    }

    /** Acquires no more permits until {@link #resume}. */
    public void pauseIntake() {
        intakePaused = true;
    }

    /** Starts no more attempts until {@link #resume}. Calls in flight continue. */
    public void pauseStarts() {
        usableSlots = 0;
    }

    /** Ends {@link #pauseIntake} and {@link #pauseStarts}. */
    public void resume() {
        usableSlots = maxInFlight;
        intakePaused = false;
        capacityAvailable.run();
    }

    /** Returns the calls in flight, and their second attempts. */
    public int inFlight() {
        return inFlight.get();
    }

    /** Returns the permits that are held: calls in flight, waiting calls and unconfirmed answers. */
    public int held() {
        return held.get();
    }

    /** Returns the calls that wait for a slot. */
    public int waiting() {
        return Math.max(0, held.get() - (inFlight.get() - hedges.get()) - unconfirmed.get());
    }

    /** Returns the unconfirmed answers that do not count towards {@code maxUnconfirmed}. */
    public int exemptAnswers() {
        return exemptAnswers;
    }

    /** Returns the ended calls whose answers are not confirmed. */
    public int unconfirmed() {
        return unconfirmed.get();
    }

    /** Returns how many calls have ended since the start; exact only while no call starts or ends. */
    public long endedCalls() {
        return settledCalls() + unconfirmed.get();
    }

    /** Returns how many permits were released since the start; exact only while no call starts or ends. */
    public long settledCalls() {
        return acquired - held.get();
    }

    /** Returns how many releases since the start found their permit released already. */
    public long duplicateReleases() {
        return duplicateReleases.get();
    }

    public int maxInFlight() {
        return maxInFlight;
    }

    public int maxUnconfirmed() {
        return maxUnconfirmed;
    }

    public long bytes() {
        return bytes.used();
    }

    /** Returns the bytes that calls in flight keep free for answers without a reservation. */
    public long keptHeadroom() {
        return bytes.keptHeadroom();
    }

    public long maxBytes() {
        return bytes.max();
    }

    @Override
    public int slots() {
        return maxInFlight;
    }

    @Override
    public int freeSlots() {
        return usableSlots - inFlight.get();
    }

    @Override
    public int freeQueueSlots() {
        return maxWaiting - waiting();
    }

    /** {@inheritDoc} These are five eighths of the window, so that reservations leave an eighth to new messages. */
    @Override
    public long reservableBytes() {
        return bytes.reservableBytes();
    }

    @Override
    public long freeBytes() {
        return maxMessageBytes() - bytes.used();
    }
}
