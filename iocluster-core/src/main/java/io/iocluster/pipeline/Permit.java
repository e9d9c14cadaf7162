package io.iocluster.pipeline;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.http.BodyBudget;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One call's part of the {@link InFlightWindow}: the bytes that it holds, and while an attempt is made its place among the open
 * calls. The place ends with the call at the latest, the rest is given back by whoever settles it; a second time does nothing.
 * For any thread.
 */
final class Permit implements BodyBudget {

    private enum State {
        WAITING,
        PLACED,
        ENDED,
        GIVEN
    }

    private final InFlightWindow window;
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
    private volatile boolean hasWaited;

    /** What a call holds that waits: its message, as it came and as it was decoded. Written before others see the call. */
    private long messageBytes;

    /** What each attempt reserves for its answer. Written before others see the call. */
    private int reserve;

    @GuardedBy("this")
    private long taken;

    /** How much of what is taken is reserved and not used. */
    @GuardedBy("this")
    private int spare;

    @GuardedBy("this")
    private boolean given;

    Permit(InFlightWindow window, long firstBytes) {
        this.window = window;
        this.messageBytes = firstBytes;
        this.taken = firstBytes;
    }

    /** Counts what the decoded message holds besides its bytes, whether or not there is room. For the source's thread. */
    void countMessage(long decodedBytes) {
        messageBytes += decodedBytes;
        count(decodedBytes);
    }

    /** Bytes of the message, as it came and as it was decoded. */
    long messageBytes() {
        return messageBytes;
    }

    /** Each attempt begins only when there is room for this many bytes of its answer, which it may take for certain then. */
    void reserveForAnswer(int bytes) {
        reserve = bytes;
    }

    /** Takes a place among the open calls, unless none is free or the call has ended. */
    boolean tryTakePlace() {
        if (!window.tryTakePlace(hasWaited, reserve)) {
            return false;
        }
        if (!state.compareAndSet(State.WAITING, State.PLACED)) {
            window.giveBackBytes(reserve);
            window.leavePlace();
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
        window.giveBackBytes(reserve);
    }

    /** The call stands in a line. */
    void waits() {
        hasWaited = true;
    }

    /** Holds from now on what a call needs that waits: the bytes of its message. */
    void leavePlace() {
        waits();
        window.giveBackBytes(keepOnly(messageBytes));
        if (state.compareAndSet(State.PLACED, State.WAITING)) {
            window.leavePlace();
        }
    }

    /** How much that was taken is beyond this. */
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
    public synchronized boolean tryTake(int bytes) {
        int more = bytes - Math.min(spare, bytes);
        if (given || (more > 0 && !window.tryTakeBytes(more))) {
            return false;
        }
        spare -= bytes - more;
        taken += more;
        return true;
    }

    /** Takes bytes whether or not there is room; a negative number gives some back. */
    synchronized void count(long bytes) {
        if (!given) {
            window.countBytes(bytes);
            taken += bytes;
        }
    }

    /** The call is over; what is left is to publish its answer. */
    void callEnded() {
        State now = state.get();
        while (now == State.WAITING || now == State.PLACED) {
            if (state.compareAndSet(now, State.ENDED)) {
                if (reserve > 0) {
                    giveBackSpare();
                }
                window.callEnded(now == State.PLACED);
                return;
            }
            now = state.get();
        }
    }

    private synchronized void giveBackSpare() {
        if (spare > 0) {
            window.giveBackBytes(spare);
            taken -= spare;
            spare = 0;
        }
    }

    void giveBack() {
        callEnded();
        if (state.compareAndSet(State.ENDED, State.GIVEN)) {
            window.giveBack(giveAll());
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
    void absorb(Permit other) {
        long more;
        synchronized (other) {
            more = other.taken;
            other.taken = 0;
        }
        synchronized (this) {
            if (given) {
                window.giveBackBytes(more);
            } else {
                taken += more;
            }
        }
        other.giveBack();
    }

    /** The call was not taken after all: its source keeps it. */
    void withdraw() {
        if (state.compareAndSet(State.WAITING, State.GIVEN)) {
            window.withdraw(giveAll());
        }
    }
}
