package io.iocluster.lab.load.result;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.ConcurrentHistogram;

/** Records latencies. Its memory is bounded. Thread-safe. */
public final class LatencyRecorder {

    private final ConcurrentHistogram micros = new ConcurrentHistogram(LatencyHistogram.DIGITS);

    public LatencyRecorder() {
        micros.setAutoResize(true);
    }

    /** Returns a latency in microseconds, from 0 to {@link LatencyHistogram#MAX_MICROS}. */
    public static long micros(long nanos) {
        return Math.max(0, Math.min(LatencyHistogram.MAX_MICROS, TimeUnit.NANOSECONDS.toMicros(nanos)));
    }

    public void record(long nanos) {
        micros.recordValue(micros(nanos));
    }

    /** Returns the number of latencies so far. */
    public long count() {
        return micros.getTotalCount();
    }

    /** Returns the latencies so far. */
    public LatencyHistogram histogram() {
        return LatencyHistogram.copyOf(micros);
    }
}
