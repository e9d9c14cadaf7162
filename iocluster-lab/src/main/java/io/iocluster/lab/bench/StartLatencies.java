package io.iocluster.lab.bench;

import io.iocluster.lab.bench.BenchOptions.StartWindows;
import io.iocluster.lab.bench.broker.PolledAnswer;
import io.iocluster.lab.load.result.LatencyHistogram;
import io.iocluster.lab.load.result.LatencyRecorder;
import java.util.BitSet;

/**
 * Collects the latencies of two windows: the first seconds and the steady part. Only the first answer of a call counts. Confined to one
 * thread.
 */
final class StartLatencies {

    private final StartWindows windows;
    private final int rate;
    private final BitSet answered = new BitSet();
    private final LatencyRecorder first = new LatencyRecorder();
    private final LatencyRecorder steady = new LatencyRecorder();
    private long failures;

    /** @param rate calls per second */
    StartLatencies(StartWindows windows, int rate) {
        this.windows = windows;
        this.rate = rate;
    }

    /** Adds the answer of a call that arrived {@code nanos} after the call was due. Ignores calls before the measurement. */
    void add(long number, PolledAnswer answer, long nanos) {
        if (number < 0 || answered.get(Math.toIntExact(number))) {
            return;
        }
        answered.set(Math.toIntExact(number));
        failures += answer.isOk() ? 0 : 1;
        long second = number / rate;
        if (second < windows.first()) {
            first.record(nanos);
        }
        if (second >= windows.steadyFrom() && second < windows.steadyTo()) {
            steady.record(nanos);
        }
    }

    /** Returns the number of calls with an answer. */
    int answered() {
        return answered.cardinality();
    }

    /** Returns the number of calls that did not end with 200. */
    long failures() {
        return failures;
    }

    LatencyHistogram first() {
        return first.histogram();
    }

    LatencyHistogram steady() {
        return steady.histogram();
    }
}
