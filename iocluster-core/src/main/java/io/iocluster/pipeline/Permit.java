package io.iocluster.pipeline;

import io.iocluster.http.BodyBudget;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One call's place in the {@link InFlightWindow} and the bytes it holds there. Bytes are taken on the call's own event loop;
 * the place is given back once, by whoever settles the call, and a second time does nothing.
 */
final class Permit implements BodyBudget {

    private final InFlightWindow window;
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

    void giveBack() {
        if (given.compareAndSet(false, true)) {
            window.giveBack(taken);
        }
    }
}
