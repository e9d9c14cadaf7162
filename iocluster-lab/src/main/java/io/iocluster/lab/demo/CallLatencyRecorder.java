package io.iocluster.lab.demo;

import io.iocluster.message.ErrorCode;
import io.iocluster.message.Outcome;
import io.iocluster.pipeline.event.PipelineEvents;
import io.iocluster.trace.Traced;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/** Records the duration of each call. Thread-safe. */
final class CallLatencyRecorder implements PipelineEvents {

    private static final long MAX_NANOS = TimeUnit.MINUTES.toNanos(10);

    private final Recorder recorder = new Recorder(MAX_NANOS, 3);

    @Override
    public void callEnded(String destination, Outcome outcome, int status, ErrorCode error, long nanos, Traced call) {
        recorder.recordValue(Math.min(MAX_NANOS, Math.max(0, nanos)));
    }

    /** Returns the durations, in nanoseconds, recorded since the previous call of this method. */
    Histogram intervalHistogram() {
        return recorder.getIntervalHistogram();
    }
}
