package io.iocluster.pipeline;

import io.iocluster.thread.NodeClock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that only the test advances. */
public final class ManualClock implements NodeClock {

    private final AtomicLong nanos = new AtomicLong(1);

    public void advance(Duration by) {
        nanos.addAndGet(by.toNanos());
    }

    @Override
    public long wallMillis() {
        return 1_750_000_000_000L + nanos.get() / 1_000_000;
    }

    @Override
    public long nanos() {
        return nanos.get();
    }
}
