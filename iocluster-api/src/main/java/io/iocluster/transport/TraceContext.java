package io.iocluster.transport;

/**
 * A W3C trace context, as the values of its headers.
 *
 * @param traceparent never null
 * @param tracestate null for none
 */
public record TraceContext(String traceparent, String tracestate) {

    /** The header with trace id, span id and sampled flag. */
    public static final String TRACEPARENT = "traceparent";

    /** The header with vendor-specific trace data. */
    public static final String TRACESTATE = "tracestate";
}
