package io.iocluster.transport;

import java.util.Locale;

/**
 * A part of a message that libraries, agents and brokers write rather than the caller. A node ignores it if it is not valid, because the
 * caller could not correct it. It never rejects a call.
 */
public enum IgnoredInput {
    /** A {@code traceparent} that W3C Trace Context does not allow. Its {@code tracestate} is ignored too. */
    TRACEPARENT,
    /** A {@code tracestate} that W3C Trace Context does not allow, or that is too long. */
    TRACESTATE,
    /** A timestamp that cannot be right: far ahead of the node's clock, or years old. */
    TIMESTAMP,
    /** The name of an app that has a forbidden character or is too long. */
    APP,
    /** A string property of an AMQP message that is not UTF-8, such as its correlation id. */
    PROPERTY;

    /** Returns the value of the metrics' label {@code input}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
