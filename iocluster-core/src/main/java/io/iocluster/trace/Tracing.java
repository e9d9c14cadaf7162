package io.iocluster.trace;

import io.iocluster.message.RequestEnvelope;
import io.iocluster.transport.Delivery;

/**
 * Starts the trace of each message (docs/adr/0017-the-pipeline-depends-on-no-tracer.md). The traces run on the
 * node's hot path and are called from several threads, but from one at a time for each message. An implementation must
 * not block and must not throw.
 */
@FunctionalInterface
public interface Tracing {

    /** Traces nothing, at no cost. */
    Tracing OFF = (delivery, envelope) -> MessageTrace.NONE;

    /**
     * Starts the trace of a message that the pipeline takes, or is about to take. If the pipeline leaves the message to
     * its source, the trace never ends and the same message is offered again later.
     *
     * @param envelope null if the message is not a valid envelope
     */
    MessageTrace startMessage(Delivery delivery, RequestEnvelope envelope);
}
