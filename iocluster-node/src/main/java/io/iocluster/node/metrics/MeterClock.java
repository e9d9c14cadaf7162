package io.iocluster.node.metrics;

import io.iocluster.thread.NodeClock;
import io.micrometer.core.instrument.Clock;

/** Adapts the clocks of a node for Micrometer. */
record MeterClock(NodeClock clock) implements Clock {

    @Override
    public long wallTime() {
        return clock.wallMillis();
    }

    @Override
    public long monotonicTime() {
        return clock.nanos();
    }
}
