package io.iocluster.trace;

import org.slf4j.spi.LoggingEventBuilder;

/** Has a trace context, or none. */
@FunctionalInterface
public interface Traced {

    /** Key of the pair with the {@code traceparent} on log lines about one call. */
    String LOG_KEY = "traceparent";

    /** Belongs to no trace. */
    Traced UNTRACED = () -> null;

    /**
     * Returns the {@code traceparent} of W3C Trace Context, or null for none. Thread-safe. An implementation
     * may look it up on each call.
     */
    String traceparent();

    /** Adds the {@code traceparent} to a log line. */
    default LoggingEventBuilder addTo(LoggingEventBuilder line) {
        return line.addKeyValue(LOG_KEY, traceparent());
    }
}
