package io.iocluster.pipeline;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.http.BodyBudget;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One call's part of the {@link InFlightWindow}: the bytes that it holds and, during an attempt, its slot among the open calls.
 * The slot ends with the call at the latest. Settling the call releases the rest; a second release does nothing.
 * For any thread.
 */
final class CallPermit implements BodyBudget {

    private enum State {
        WAITING,
        PLACED,
        ENDED,
        GIVEN
    }

    private final InFlightWindow window;
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
    private volatile boolean hasWaited;

    /** Bytes that a waiting call holds: its message, as received and as decoded. Written before other threads see the call. */
    private long messageBytes;

    /** Bytes that each attempt reserves for its answer. Written before other threads see the call. */
    private int reserve;

    /** Most bytes of an answer for which an attempt keeps room without reserving it. Written before other threads see the call. */
    private int mostOfAnswer;

    /** The room that the current attempt keeps. Written before the call has its slot. */
    private int answerRoom;

    @GuardedBy("this")
    private long taken;

    /** The reserved and unused part of {@code taken}. */
    @GuardedBy("this")
    private int spare;

    @GuardedBy("this")
    private boolean given;

    CallPermit(InFlightWindow window, long firstBytes) {
        this.window = window;
        this.messageBytes = firstBytes;
        this.taken = firstBytes;
    }

    /** Counts the additional bytes of the decoded message, whether or not there is room. For the source's thread. */
    void addMessageBytes(long decodedBytes) {
        messageBytes += decodedBytes;
        addBytes(decodedBytes);
    }

    /** Returns the bytes of the message, as received and as decoded. */
    long messageBytes() {
        return messageBytes;
    }

    /** Reserves this many bytes for the answer of each attempt. An attempt starts only when there is room for them. */
    void setResponseReserve(int bytes) {
        reserve = bytes;
    }

    /** Returns the bytes that each attempt reserves for its answer. */
    int reservedForAnswer() {
        return reserve;
    }

    /**
     * Keeps this many bytes of the window free for the answer while an attempt runs, as far as all calls in flight can have as
     * much. An attempt starts only when they are free.
     */
    void keepRoomForAnswer(int bytes) {
        mostOfAnswer = bytes;
    }

    /** Takes a place among the open calls, unless none is free or the call has ended. */
    boolean tryAcquireSlot() {
        int room = window.answerRoom(mostOfAnswer);
        if (!window.tryAcquireSlot(hasWaited, reserve, room)) {
            return false;
        }
        answerRoom = room;
        if (!state.compareAndSet(State.WAITING, State.PLACED)) {
            window.releaseBytes(reserve);
            window.releaseAnswerRoom(room);
            window.releaseSlot();
            return false;
        }
        if (reserve > 0) {
            keepReserved();
        }
        return true;
    }

    private void keepReserved() {
        synchronized (this) {
            if (!given) {
                taken += reserve;
                spare = reserve;
                return;
            }
        }
        window.releaseBytes(reserve);
    }

    /** The call stands in a line. */
    void markQueued() {
        hasWaited = true;
    }

    /** Releases everything except the bytes of the message, which a waiting call needs. */
    void releaseSlot() {
        markQueued();
        window.releaseBytes(keepOnly(messageBytes));
        int room = answerRoom;
        if (state.compareAndSet(State.PLACED, State.WAITING)) {
            window.releaseAnswerRoom(room);
            window.releaseSlot();
        }
    }

    /** Keeps at most this many bytes, and returns how many more were taken. */
    private synchronized long keepOnly(long bytes) {
        if (given) {
            return 0;
        }
        long beyond = taken - bytes;
        taken = bytes;
        spare = 0;
        return beyond;
    }

    @Override
    public synchronized boolean tryReserve(int bytes) {
        int more = bytes - Math.min(spare, bytes);
        if (given || (more > 0 && !window.tryReserveBytes(more))) {
            return false;
        }
        spare -= bytes - more;
        taken += more;
        return true;
    }

    /** Takes bytes to encode the answer, if the calls in flight still have room for theirs. */
    synchronized boolean tryTakeToEncode(int bytes) {
        if (given || !window.tryTakeBytesToEncode(bytes)) {
            return false;
        }
        taken += bytes;
        return true;
    }

    /** Takes bytes whether or not there is room; a negative number releases bytes. */
    synchronized void addBytes(long bytes) {
        if (!given) {
            window.addBytes(bytes);
            taken += bytes;
        }
    }

    /** The call is over; what is left is to publish its answer. */
    void endCall() {
        State now = state.get();
        while (now == State.WAITING || now == State.PLACED) {
            if (state.compareAndSet(now, State.ENDED)) {
                if (reserve > 0) {
                    giveBackSpare();
                }
                if (now == State.PLACED) {
                    window.releaseAnswerRoom(answerRoom);
                }
                window.endCall(now == State.PLACED);
                return;
            }
            now = state.get();
        }
    }

    private synchronized void giveBackSpare() {
        if (spare > 0) {
            window.releaseBytes(spare);
            taken -= spare;
            spare = 0;
        }
    }

    void release() {
        endCall();
        if (state.compareAndSet(State.ENDED, State.GIVEN)) {
            window.releasePermit(giveAll());
        }
    }

    private synchronized long giveAll() {
        long all = taken;
        taken = 0;
        spare = 0;
        given = true;
        return all;
    }

    /** Holds from now on what a call holds that has ended: one of several that are answered together. */
    void absorb(CallPermit other) {
        long more;
        synchronized (other) {
            more = other.taken;
            other.taken = 0;
        }
        synchronized (this) {
            if (given) {
                window.releaseBytes(more);
            } else {
                taken += more;
            }
        }
        other.release();
    }

    /** The call was not taken after all: its source keeps it. */
    void withdraw() {
        if (state.compareAndSet(State.WAITING, State.GIVEN)) {
            window.withdraw(giveAll());
        }
    }
}
