package io.iocluster.destination;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.http.BodyBudget;
import io.iocluster.http.HttpResult;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/**
 * Holds everything that one call occupies on the node: its slot of the node, its slot of the destination, its bytes, the reservation for
 * its answer, and its part of the unconfirmed answers. Thread-safe. Releasing the permit releases all of them.
 *
 * <p>A permit is waiting until its {@link Destination} grants it, running during an attempt, publishing after the call has ended, and
 * finally released. A retry returns it from running to waiting. Each transition is one compare-and-set, so only one thread makes it. An
 * illegal transition does nothing; a second release is counted.
 */
public final class CallPermit implements BodyBudget {

    /** The states in their order. A permit never leaves {@code RELEASED}. */
    private enum State {
        WAITING,
        RUNNING,
        PUBLISHING,
        RELEASED
    }

    private static final AtomicReferenceFieldUpdater<CallPermit, State> STATE =
            AtomicReferenceFieldUpdater.newUpdater(CallPermit.class, State.class, "state");

    private final NodeCapacity node;

    /** Whether the permit is for a second attempt, which takes slots and bytes but does not count as a call. */
    private final boolean hedge;

    private volatile State state = State.WAITING;
    private volatile boolean hasWaited;

    /** Bytes of the message, as received and as decoded. Written before other threads see the call. */
    private long messageBytes;

    /** Bytes that each attempt reserves for its answer. Written before other threads see the call. */
    private int responseReserve;

    /** Bytes that must stay free for the answer of an attempt without a reservation. Written before other threads see the call. */
    private int maxAnswerHeadroom;

    /** Bytes that stay free for the answer of the current attempt. Written before the permit is running. */
    private int answerHeadroom;

    /** The destination of the current or last attempt. Written before the permit is running, like the next three fields. */
    private Destination<?> destination;

    private long attemptStartNanos;
    private int attemptsInFlight;
    private boolean probe;

    /** Whether the attempt has a slot of its destination. Written under the destination's lock. */
    private volatile boolean hasDestinationSlot;

    /** Bytes that the destination counts for the attempt. Confined to the destination's lock. */
    private long countedBytes;

    @GuardedBy("this")
    private long bytes;

    /** The part of {@code bytes} that is reserved for the answer and not yet used. */
    @GuardedBy("this")
    private int unusedReserve;

    /** The part of {@code bytes} that the kept results of the message's calls take. */
    @GuardedBy("this")
    private long keptResults;

    @GuardedBy("this")
    private boolean bytesReleased;

    /**
     * Creates a waiting permit.
     *
     * @param messageBytes bytes that the node has already counted for the message
     */
    public CallPermit(NodeCapacity node, long messageBytes) {
        this(node, messageBytes, false);
    }

    private CallPermit(NodeCapacity node, long messageBytes, boolean hedge) {
        this.node = node;
        this.hedge = hedge;
        this.messageBytes = messageBytes;
        this.bytes = messageBytes;
    }

    /** Counts the additional bytes of the decoded message, even if too few are free. Poll thread only. */
    public void addMessageBytes(long decodedBytes) {
        messageBytes += decodedBytes;
        addBytes(decodedBytes);
    }

    /** Returns the bytes of the message, as received and as decoded. */
    public long messageBytes() {
        return messageBytes;
    }

    /** Reserves bytes for the answer of each attempt. An attempt starts only when they are free. */
    public void setResponseReserve(int reserve) {
        responseReserve = reserve;
    }

    /** Returns the bytes that each attempt reserves for its answer. */
    public int responseReserve() {
        return responseReserve;
    }

    /**
     * Keeps bytes of the node free for an answer of up to this size while an attempt runs. Keeps fewer if the node
     * cannot keep as many for each call in flight. An attempt starts only when the bytes are free.
     */
    public void requireAnswerHeadroom(int maxAnswerBytes) {
        maxAnswerHeadroom = maxAnswerBytes;
    }

    /** Reserves and requires the same bytes for the answer of each attempt as the other permit. */
    public void copyAnswerBytes(CallPermit other) {
        responseReserve = other.responseReserve;
        maxAnswerHeadroom = other.maxAnswerHeadroom;
    }

    /** Returns a waiting permit for a second attempt of the call, with the same bytes for its answer. It does not count as a call. */
    public CallPermit forHedge() {
        CallPermit second = new CallPermit(node, 0, true);
        second.copyAnswerBytes(this);
        return second;
    }

    /** Returns whether the call has ended: its answer is being published, or the permit is released. */
    public boolean isEnded() {
        State now = state;
        return now == State.PUBLISHING || now == State.RELEASED;
    }

    /**
     * Starts an attempt: takes a slot of the node and the destination's slot. The destination calls this under its lock.
     *
     * @param owner the destination that grants the permit
     * @param nowNanos the node's monotonic clock
     * @param inFlight the destination's attempts in flight, including this one
     * @param isProbe whether the attempt is a probe of a half-open breaker
     * @return false if the node has no slot or the permit is not waiting
     */
    boolean tryStart(Destination<?> owner, long nowNanos, int inFlight, boolean isProbe) {
        int headroom = node.answerHeadroom(maxAnswerHeadroom);
        if (state != State.WAITING || !node.tryAcquireSlot(hasWaited, responseReserve, headroom)) {
            return false;
        }
        answerHeadroom = headroom;
        destination = owner;
        attemptStartNanos = nowNanos;
        attemptsInFlight = inFlight;
        probe = isProbe;
        // Set before the state, because a thread that ends a running call must find the slot.
        hasDestinationSlot = true;
        if (!STATE.compareAndSet(this, State.WAITING, State.RUNNING)) {
            hasDestinationSlot = false;
            node.releaseSlot(responseReserve, headroom);
            return false;
        }
        if (hedge) {
            node.hedgeStarted();
        }
        if (responseReserve > 0) {
            keepReserve();
        }
        return true;
    }

    private void keepReserve() {
        synchronized (this) {
            if (!bytesReleased) {
                bytes += responseReserve;
                unusedReserve = responseReserve;
                return;
            }
        }
        node.addBytes(-responseReserve);
    }

    /** Records that the call waits in a queue. It then starts only while the node may have more unconfirmed answers. */
    void markQueued() {
        hasWaited = true;
    }

    /** Gives back the destination's slot after an attempt; the destination learns from the result. */
    public void completeAttempt(HttpResult result) {
        if (hasDestinationSlot) {
            destination.attemptEnded(this, result);
        }
    }

    /** Gives back the destination's slot after an attempt whose result says nothing about the destination. */
    public void abandonAttempt() {
        completeAttempt(null);
    }

    /** Gives back the destination's slot after an attempt that timed out because its call had waited for too long. */
    public void expireAttempt() {
        if (hasDestinationSlot) {
            destination.attemptExpired(this);
        }
    }

    /** Removes the destination's slot. Returns true for the first caller only. The destination calls this under its lock. */
    boolean takeDestinationSlot() {
        boolean had = hasDestinationSlot;
        hasDestinationSlot = false;
        return had;
    }

    /** Sets the bytes that the destination counts for the attempt. The destination calls this under its lock. */
    void setCountedBytes(long counted) {
        countedBytes = counted;
    }

    /** Returns the bytes that the destination counts for the attempt. */
    long countedBytes() {
        return countedBytes;
    }

    long attemptStartNanos() {
        return attemptStartNanos;
    }

    /** Returns the destination's attempts in flight when this one started, including it. */
    int attemptsInFlight() {
        return attemptsInFlight;
    }

    /** Returns whether the attempt is a probe of a half-open breaker. */
    boolean isProbe() {
        return probe;
    }

    /** Counts the encoded answer instead of the decoded one: keeps these bytes and those of the message, and releases the rest. */
    public void replaceAnswer(int encodedBytes) {
        node.addBytes(-keepOnly(messageBytes + encodedBytes));
    }

    /** Counts the answer of a second attempt instead of that of the first one, and releases its permit. */
    public void replaceAnswer(CallPermit second) {
        try {
            second.tryEnd();
        } finally {
            node.addBytes(-keepOnly(messageBytes));
            absorb(second);
        }
    }

    /**
     * Sets a running permit back to waiting, for a retry. It keeps the bytes of the message and releases the rest. A call that waits gets the
     * slot.
     */
    public void awaitRetry() {
        markQueued();
        abandonAttempt();
        node.addBytes(-keepOnly(messageBytes));
        int headroom = answerHeadroom;
        if (STATE.compareAndSet(this, State.RUNNING, State.WAITING)) {
            node.releaseSlot(0, headroom);
            destination.dispatchWaiting();
        }
    }

    /** Reduces the held bytes to this number, and returns the difference. */
    private synchronized long keepOnly(long kept) {
        if (bytesReleased) {
            return 0;
        }
        long excess = bytes - kept;
        bytes = kept;
        unusedReserve = 0;
        return excess;
    }

    @Override
    public synchronized boolean tryReserve(int wanted) {
        int more = wanted - Math.min(unusedReserve, wanted);
        if (bytesReleased || (more > 0 && !node.tryReserveBytes(more))) {
            return false;
        }
        unusedReserve -= wanted - more;
        bytes += more;
        return true;
    }

    /** Takes bytes to encode the answer, if enough stay free for the answers of the calls in flight. */
    public synchronized boolean tryReserveToEncode(int wanted) {
        if (bytesReleased || !node.tryReserveBytesToEncode(wanted)) {
            return false;
        }
        bytes += wanted;
        return true;
    }

    /** Takes bytes even if too few are free. A negative number releases bytes. */
    public synchronized void addBytes(long more) {
        if (!bytesReleased) {
            node.addBytes(more);
            bytes += more;
        }
    }

    /**
     * Ends the call: from now on the permit only covers its answer. Releases the slots and the unused reservation, and hands them to calls
     * that wait. If this throws because of a defect, the caller has ended the call as if it had returned true.
     *
     * @return true for the first caller only, which then publishes the answer or releases the message
     */
    public boolean tryEnd() {
        State now = state;
        while (now == State.WAITING || now == State.RUNNING) {
            if (STATE.compareAndSet(this, now, State.PUBLISHING)) {
                endCall(now == State.RUNNING);
                return true;
            }
            now = state;
        }
        return false;
    }

    private void endCall(boolean running) {
        try {
            if (running) {
                abandonAttempt();
            }
        } finally {
            if (responseReserve > 0) {
                releaseUnusedReserve();
            }
            node.callEnded(running, running ? answerHeadroom : 0, hedge);
        }
        if (running) {
            destination.dispatchWaiting();
        }
    }

    private synchronized void releaseUnusedReserve() {
        if (unusedReserve > 0) {
            node.addBytes(-unusedReserve);
            bytes -= unusedReserve;
            unusedReserve = 0;
        }
    }

    /** Releases everything, and ends the call if it has not ended. A second release does nothing except count. */
    public void release() {
        try {
            tryEnd();
        } finally {
            if (STATE.compareAndSet(this, State.PUBLISHING, State.RELEASED)) {
                node.permitReleased(releaseBytes(), hedge);
            } else {
                node.permitReleasedTwice();
            }
        }
    }

    /** Returns whether everything is released. */
    public boolean isReleased() {
        return state == State.RELEASED;
    }

    private synchronized long releaseBytes() {
        long all = bytes;
        bytes = 0;
        if (keptResults > 0) {
            node.releaseResults(keptResults);
            keptResults = 0;
        }
        unusedReserve = 0;
        bytesReleased = true;
        return all;
    }

    /**
     * Returns whether the message may keep the result of one of its calls, and counts its bytes until this permit is
     * released. If not, the call releases the bytes of its answer.
     */
    public boolean tryKeepResult(CallPermit branch) {
        long result = branch.heldBytes();
        synchronized (this) {
            if (bytesReleased) {
                return true;
            }
            if (node.tryKeepResult(result, keptResults)) {
                keptResults += result;
                return true;
            }
        }
        node.addBytes(-branch.keepOnly(branch.messageBytes));
        return false;
    }

    /** Returns the bytes that the call holds: those of its answer, and of its message unless the message has several calls. */
    public synchronized long heldBytes() {
        return bytes;
    }

    /** Takes over the bytes of an ended call whose answer becomes a part of this call's answer, and releases its permit. */
    public void absorb(CallPermit branch) {
        long more;
        synchronized (branch) {
            more = branch.bytes;
            branch.bytes = 0;
        }
        synchronized (this) {
            if (bytesReleased) {
                node.addBytes(-more);
            } else {
                bytes += more;
            }
        }
        branch.release();
    }

    /** Releases a waiting permit as if it had never been acquired, because the source keeps the message. */
    public void withdraw() {
        if (STATE.compareAndSet(this, State.WAITING, State.RELEASED)) {
            node.permitWithdrawn(releaseBytes());
        }
    }
}
