package io.iocluster.door.http;

import com.linecorp.armeria.common.ResponseHeadersBuilder;
import io.iocluster.transport.TraceContext;

/** Writes W3C Trace Context. Stateless. */
public final class TraceHeaders {

    private TraceHeaders() {}

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
