package io.iocluster.door.http;

import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import io.iocluster.transport.TraceContext;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** Reads and writes W3C Trace Context. Stateless. */
public final class TraceHeaders {

    private static final Pattern TRACEPARENT = Pattern.compile("[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}");
    private static final int MAX_TRACESTATE = 512;

    private TraceHeaders() {}

    /** Returns the trace context of a request; null if it has none, or an invalid one. */
    public static TraceContext read(RequestHeaders headers) {
        return read(name -> headers.get(name));
    }

    /**
     * Returns a trace context; null if there is none, or an invalid one.
     *
     * @param headers returns the value of a header; null if it is missing
     */
    public static TraceContext read(UnaryOperator<String> headers) {
        String parent = headers.apply(TraceContext.TRACEPARENT);
        if (parent == null || !TRACEPARENT.matcher(parent).matches()) {
            return null;
        }
        String state = headers.apply(TraceContext.TRACESTATE);
        return new TraceContext(parent, state != null && state.length() <= MAX_TRACESTATE ? state : null);
    }

    /** Adds a trace context to a response. Does nothing if it is null. */
    public static void write(ResponseHeadersBuilder headers, TraceContext trace) {
        if (trace != null) {
            headers.set(TraceContext.TRACEPARENT, trace.traceparent());
            if (trace.tracestate() != null) {
                headers.set(TraceContext.TRACESTATE, trace.tracestate());
            }
        }
    }
}
