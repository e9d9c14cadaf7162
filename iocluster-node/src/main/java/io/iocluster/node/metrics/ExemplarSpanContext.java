package io.iocluster.node.metrics;

import io.iocluster.trace.Traced;
import io.micrometer.core.instrument.Timer;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceId;
import io.prometheus.metrics.tracer.common.SpanContext;
import java.util.concurrent.TimeUnit;

/**
 * Says which trace the call belongs to that is counted on this thread now, so that a histogram can keep it as an exemplar. The
 * registry asks for few of many calls, and nothing is read of the others. Safe for use by several threads.
 */
final class ExemplarSpanContext implements SpanContext {

    private static final int TRACE_ID = 3;
    private static final int SPAN_ID = TRACE_ID + TraceId.getLength() + 1;
    private static final int FLAGS = SPAN_ID + SpanId.getLength() + 1;
    private static final int LENGTH = FLAGS + TraceFlags.getLength();

    private final ThreadLocal<Counting> counting = ThreadLocal.withInitial(Counting::new);

    /** Has a timer record something of a call. */
    void record(Timer timer, long amount, TimeUnit unit, Traced call) {
        Counting here = counting.get();
        here.call = call;
        timer.record(amount, unit);
        here.call = Traced.UNTRACED;
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

    /** What nobody records leads nowhere. */
    @Override
    public boolean isCurrentSpanSampled() {
        String trace = traceparent();
        return trace != null && TraceFlags.fromHex(trace, FLAGS).isSampled();
    }

    @Override
    public void markCurrentSpanAsExemplar() {
        // Only tracers that drop spans at their end would want to know.
    }

    /** Null for none, and for what is not written as W3C Trace Context has it: it comes from a stranger. */
    private String traceparent() {
        String trace = counting.get().call.traceparent();
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

    private static final class Counting {

        private Traced call = Traced.UNTRACED;
    }
}
