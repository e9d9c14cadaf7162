package io.iocluster.node.metrics;

import io.iocluster.trace.Traced;
import io.micrometer.core.instrument.Timer;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceId;
import io.prometheus.metrics.tracer.common.SpanContext;
import java.util.concurrent.TimeUnit;

/**
 * Returns the trace of the call that this thread records now, so that a histogram can keep it as an exemplar. The registry asks for
 * few calls, and the {@code traceparent} of the others is not parsed. Thread-safe.
 */
final class ExemplarSpanContext implements SpanContext {

    private static final int TRACE_ID = 3;
    private static final int SPAN_ID = TRACE_ID + TraceId.getLength() + 1;
    private static final int FLAGS = SPAN_ID + SpanId.getLength() + 1;
    private static final int LENGTH = FLAGS + TraceFlags.getLength();

    private final ThreadLocal<CurrentCall> current = ThreadLocal.withInitial(CurrentCall::new);

    /** Records a duration of a call, with the trace of the call available to the registry. */
    void record(Timer timer, long amount, TimeUnit unit, Traced call) {
        CurrentCall onThread = current.get();
        onThread.call = call;
        timer.record(amount, unit);
        onThread.call = Traced.UNTRACED;
    }

    @Override
    public String getCurrentTraceId() {
        String trace = traceparent();
        return trace == null ? null : trace.substring(TRACE_ID, SPAN_ID - 1);
    }

    @Override
    public String getCurrentSpanId() {
        String trace = traceparent();
        return trace == null ? null : trace.substring(SPAN_ID, FLAGS - 1);
    }

    /** Returns false for traces that are not recorded, because their exemplars would link to nothing. */
    @Override
    public boolean isCurrentSpanSampled() {
        String trace = traceparent();
        return trace != null && TraceFlags.fromHex(trace, FLAGS).isSampled();
    }

    @Override
    public void markCurrentSpanAsExemplar() {
        // Only tracers that drop spans at their end need this.
    }

    /** Returns the header, or null if it is missing or not valid W3C Trace Context, because it is untrusted input. */
    private String traceparent() {
        String trace = current.get().call.traceparent();
        boolean valid = trace != null
                && (trace.length() == LENGTH || (trace.length() > LENGTH && !trace.startsWith("00")))
                && trace.charAt(TRACE_ID - 1) == '-'
                && trace.charAt(SPAN_ID - 1) == '-'
                && trace.charAt(FLAGS - 1) == '-'
                && TraceId.isValid(trace.substring(TRACE_ID, SPAN_ID - 1))
                && SpanId.isValid(trace.substring(SPAN_ID, FLAGS - 1))
                && isHex(trace.charAt(FLAGS))
                && isHex(trace.charAt(FLAGS + 1));
        return valid ? trace : null;
    }

    private static boolean isHex(char digit) {
        return (digit >= '0' && digit <= '9') || (digit >= 'a' && digit <= 'f');
    }

    private static final class CurrentCall {

        private Traced call = Traced.UNTRACED;
    }
}
