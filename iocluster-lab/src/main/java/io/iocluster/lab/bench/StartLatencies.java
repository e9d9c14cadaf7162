package io.iocluster.lab.bench;

import io.iocluster.lab.bench.BenchOptions.StartWindows;
import io.iocluster.lab.load.result.LatencyHistogram;
import io.iocluster.lab.load.result.LatencyRecorder;

/** Collects the latencies of two windows: the first seconds and the steady part. Confined to one thread. */
final class StartLatencies {

    private final StartWindows windows;
    private final LatencyRecorder first = new LatencyRecorder();
    private final LatencyRecorder steady = new LatencyRecorder();

    StartLatencies(StartWindows windows) {
        this.windows = windows;
    }

    /** Adds the latency of a call that was due in a second since the node was ready. */
    void add(long second, long nanos) {
        if (second < windows.first()) {
            first.record(nanos);
        }
        if (second >= windows.steadyFrom() && second < windows.steadyTo()) {
            steady.record(nanos);
        }
    }

    LatencyHistogram first() {
        return first.histogram();
    }

    LatencyHistogram steady() {
        return steady.histogram();
    }
}
