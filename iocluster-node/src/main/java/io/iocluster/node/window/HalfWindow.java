package io.iocluster.node.window;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * Remembers the totals at the start of a recent window, so that the difference to the current totals is what happened in it. The window is
 * one to two halves long, because the totals are remembered once in each half. Confined to one thread.
 *
 * @param <S> an immutable snapshot of the totals
 */
public final class HalfWindow<S> {

    private final long halfNanos;
    private long rotatedNanos;
    private S start;
    private S middle;

    /** Starts a window, which is shorter at first. */
    public HalfWindow(Duration half, S totals, long nanos) {
        this.halfNanos = half.toNanos();
        this.rotatedNanos = nanos;
        this.start = totals;
        this.middle = totals;
    }

    /**
     * Moves the window forward, if it is time.
     *
     * @param totals returns the current totals; called only if it is time
     * @return the totals at the start of the window
     */
    public S advance(Supplier<S> totals, long nanos) {
        if (nanos - rotatedNanos >= halfNanos) {
            rotatedNanos = nanos;
            start = middle;
            middle = totals.get();
        }
        return start;
    }

    /** Returns the totals at the start of the window. */
    public S start() {
        return start;
    }
}
