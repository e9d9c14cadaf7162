package io.iocluster.pipeline;

import io.iocluster.http.BodyBudget;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One call's part of the {@link InFlightWindow}: the bytes that it holds, and while an attempt is made its place among the open
 * calls. Bytes are taken on the call's own event loop. The place ends with the call at the latest, the rest is given back by
 * whoever settles it; a second time does nothing.
 */
final class Permit implements BodyBudget {

    private enum State {
        WAITING,
        PLACED,
        ENDED,
        GIVEN
    }

    private static final AtomicLongFieldUpdater<Permit> TAKEN =
            AtomicLongFieldUpdater.newUpdater(Permit.class, "taken");

    /** Stands for the bytes of a permit that was given back: it takes no more, or they would never come back. */
    private static final long CLOSED = -1;

    private final InFlightWindow window;
    private final long firstBytes;
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
    private volatile long taken;
    private volatile boolean hasWaited;

    Permit(InFlightWindow window, long firstBytes) {
        this.window = window;
        this.firstBytes = firstBytes;
        this.taken = firstBytes;
    }

    /** Takes a place among the open calls, unless none is free or the call has ended. */
    boolean tryTakePlace() {
        if (!window.tryTakePlace(hasWaited)) {
            return false;
        }
        if (!state.compareAndSet(State.WAITING, State.PLACED)) {
            window.leavePlace();
            return false;
        }
        return true;
    }

    /** The call stands in a line. */
    void waits() {
        hasWaited = true;
    }

    /** Holds from now on what a call needs that waits: the bytes of its envelope. */
    void leavePlace() {
        waits();
        long now = taken;
        while (now > firstBytes) {
            if (TAKEN.compareAndSet(this, now, firstBytes)) {
                window.giveBackBytes(now - firstBytes);
                break;
            }
            now = taken;
        }
        if (state.compareAndSet(State.PLACED, State.WAITING)) {
            window.leavePlace();
        }
    }

    @Override
    public boolean tryTake(int bytes) {
        if (!window.tryTakeBytes(bytes)) {
            return false;
        }
        if (!add(bytes)) {
            window.giveBackBytes(bytes);
            return false;
        }
        return true;
    }

    /** Returns false if it was given back before. */
    private boolean add(long bytes) {
        long now = taken;
        while (now != CLOSED) {
            if (TAKEN.compareAndSet(this, now, now + bytes)) {
                return true;
            }
            now = taken;
        }
        return false;
    }

    /** The call is over; what is left is to publish its answer. */
    void callEnded() {
        State now = state.get();
        while (now == State.WAITING || now == State.PLACED) {
            if (state.compareAndSet(now, State.ENDED)) {
                window.callEnded(now == State.PLACED);
                return;
            }
            now = state.get();
        }
    }

    void giveBack() {
        callEnded();
        if (state.compareAndSet(State.ENDED, State.GIVEN)) {
            window.giveBack(Math.max(0, TAKEN.getAndSet(this, CLOSED)));
        }
    }

    /** Holds from now on what a call holds that has ended: one of several that are answered together. */
    void absorb(Permit other) {
        long moved = TAKEN.getAndSet(other, CLOSED);
        if (moved > 0 && !add(moved)) {
            window.giveBackBytes(moved);
        }
        other.giveBack();
    }

    /** The call was not taken after all: its source keeps it. */
    void withdraw() {
        if (state.compareAndSet(State.WAITING, State.GIVEN)) {
            window.withdraw(TAKEN.getAndSet(this, CLOSED));
        }
    }
}
