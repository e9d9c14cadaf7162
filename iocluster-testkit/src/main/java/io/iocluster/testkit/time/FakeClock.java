package io.iocluster.testkit.time;

import io.iocluster.thread.NodeClock;
import java.util.function.LongSupplier;

/**
 * A clock that a test controls.
 *
 * @param monotonic returns nanoseconds
 * @param wall returns milliseconds since the epoch
 */
public record FakeClock(LongSupplier monotonic, LongSupplier wall) implements NodeClock {

    /** Creates a clock whose wall clock started at the epoch. */
    public FakeClock(LongSupplier monotonic) {
        this(monotonic, () -> monotonic.getAsLong() / 1_000_000);
    }

    @Override
    public long wallMillis() {
        return wall.getAsLong();
    }

    @Override
    public long nanos() {
        return monotonic.getAsLong();
    }
}
