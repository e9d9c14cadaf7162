package io.iocluster.pipeline;

import io.iocluster.http.BodyBudget;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One call's place in the {@link InFlightWindow} and the bytes it holds there. Bytes are taken on the call's own event loop.
 * The place among the open calls ends with the call, the rest is given back by whoever settles it; a second time does
 * nothing.
 */
final class Permit implements BodyBudget {

    private final InFlightWindow window;
    private final AtomicBoolean ended = new AtomicBoolean();
    private final AtomicBoolean given = new AtomicBoolean();
    private volatile long taken;

    Permit(InFlightWindow window, long firstBytes) {
        this.window = window;
        this.taken = firstBytes;
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // One writer: the call's event loop.
    public boolean tryTake(int bytes) {
        if (!window.tryTakeBytes(bytes)) {
            return false;
        }
        taken += bytes;
        return true;
    }

    /** The call is over; what is left is to publish its answer. */
    void callEnded() {
        if (ended.compareAndSet(false, true)) {
            window.callEnded();
        }
    }

    void giveBack() {
        callEnded();
        if (given.compareAndSet(false, true)) {
            window.giveBack(taken);
        }
    }
}
