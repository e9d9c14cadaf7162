package io.iocluster.trace;

import io.iocluster.transport.PublishResult;
import io.iocluster.transport.TraceContext;

/** What is made of something that is published. */
public interface PublishTrace {

    /** Of what nobody follows. */
    PublishTrace NONE = new PublishTrace() {};

    /** What the published message carries; null for what its request came with. */
    default TraceContext context() {
        return null;
    }

    /**
     * The broker has confirmed it, or it failed.
     *
     * @param result null if there is none, because of a defect
     */
    default void ended(PublishResult result) {}
}
