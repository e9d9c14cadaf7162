package io.iocluster.transport;

/**
 * Which trace something belongs to, as W3C Trace Context writes it into headers.
 *
 * @param traceparent never null
 * @param tracestate null for none
 */
public record TraceContext(String traceparent, String tracestate) {

    /** The header that names the trace, the span within it, and whether it is recorded. */
    public static final String TRACEPARENT = "traceparent";

    /** The header with what tracers add to that. */
    public static final String TRACESTATE = "tracestate";
}
