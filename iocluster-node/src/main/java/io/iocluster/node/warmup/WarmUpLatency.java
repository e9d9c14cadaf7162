package io.iocluster.node.warmup;

import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.Response;
import io.iocluster.pipeline.event.PipelineEvents;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/** Records the latency of answered attempts, and counts the failed ones. Thread-safe. */
final class WarmUpLatency implements PipelineEvents {

    private static final long MAX_MICROS = TimeUnit.MINUTES.toMicros(1);
    private static final int SIGNIFICANT_DIGITS = 2;

    private final Recorder micros = new Recorder(MAX_MICROS, SIGNIFICANT_DIGITS);
    private final LongAdder failures = new LongAdder();

    @Override
    public void attemptEnded(String destination, HttpResult result, long nanos) {
        if (result instanceof Response) {
            micros.recordValue(Math.min(MAX_MICROS, TimeUnit.NANOSECONDS.toMicros(nanos)));
        } else {
            failures.increment();
        }
    }

    /** Returns the latencies since the last call of this method, in microseconds. */
    Histogram next() {
        return micros.getIntervalHistogram();
    }

    /** Returns the number of failed attempts. */
    long failures() {
        return failures.sum();
    }
}
