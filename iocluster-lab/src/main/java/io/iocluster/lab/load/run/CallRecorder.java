package io.iocluster.lab.load.run;

import io.iocluster.lab.load.data.CallSpec;
import io.iocluster.lab.load.result.LatencyHistogram;
import io.iocluster.lab.load.result.LatencyRecorder;
import io.iocluster.lab.load.schedule.LoadClock;
import io.iocluster.lab.load.target.LoadTarget;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/**
 * Sends the calls of a run and records how they end, from when each was due. {@link #send} is confined to the thread that sends;
 * the rest is thread-safe.
 */
final class CallRecorder {

    private final LoadTarget target;
    private final LoadClock clock;
    private final LongAdder sent = new LongAdder();
    private final LongAdder ended = new LongAdder();
    private final LongAdder errors = new LongAdder();
    private final LatencyRecorder scheduleError = new LatencyRecorder();
    private final Recorder interval = new Recorder(LatencyHistogram.DIGITS);
    private Histogram intervalHistogram;

    /** Notified when a call has ended. */
    interface EndListener {

        EndListener NONE = nanos -> {};

        void ended(long nanos);
    }

    CallRecorder(LoadTarget target, LoadClock clock) {
        this.target = target;
        this.clock = clock;
    }

    /** Sends a call that was due at a time of the clock. */
    void send(CallSpec call, long dueNanos, PhaseRecorder phase, EndListener listener) {
        TemplateRecorder template = phase.template(call.template());
        if (phase.isMeasured()) {
            scheduleError.record(clock.nanoTime() - dueNanos);
        }
        template.started();
        sent.increment();
        target.send(call, (code, success, timing) -> {
            long now = clock.nanoTime();
            if (template.ended(code, success, now - dueNanos, timing)) {
                interval.recordValue(LatencyRecorder.micros(now - dueNanos));
            }
            if (!success) {
                errors.increment();
            }
            ended.increment();
            listener.ended(now);
        });
    }

    /** Returns the latencies since the last call, in microseconds. Confined to one thread; the next call overwrites the histogram. */
    Histogram intervalMicros() {
        intervalHistogram = interval.getIntervalHistogram(intervalHistogram);
        return intervalHistogram;
    }

    long sent() {
        return sent.sum();
    }

    long ended() {
        return ended.sum();
    }

    long errors() {
        return errors.sum();
    }

    long outstanding() {
        return Math.max(0, sent() - ended());
    }

    LatencyHistogram scheduleError() {
        return scheduleError.histogram();
    }
}
