package io.iocluster.trace;

import io.iocluster.transport.PublishResult;
import io.iocluster.transport.TraceContext;

/** Traces one published message. */
public interface PublishTrace {

    /** Traces nothing. */
    PublishTrace NONE = new PublishTrace() {};

    /** Returns the context for the published message, or null to keep the one that the request arrived with. */
    default TraceContext context() {
        return null;
    }

    /**
     * Records the broker's confirmation or the failure.
     *
     * @param result null if a defect prevented a result
     */
    default void ended(PublishResult result) {}
}
