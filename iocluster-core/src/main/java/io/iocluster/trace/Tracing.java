package io.iocluster.trace;

import io.iocluster.message.RequestEnvelope;
import io.iocluster.transport.Delivery;

/**
 * Follows each message from its taking to its settlement (docs/adr/0017-the-pipeline-depends-on-no-tracer.md). All of it stands on the
 * node's hot path and is called from several threads, one at a time for each message: an implementation neither blocks nor
 * throws.
 */
@FunctionalInterface
public interface Tracing {

    /** Follows nothing, and costs nothing. */
    Tracing OFF = (delivery, envelope) -> MessageTrace.NONE;

    /**
     * A message was taken, or is about to be: one that is left to its source after all is offered again, and what was begun for
     * it may never end.
     *
     * @param envelope null if the message is none
     */
    MessageTrace startMessage(Delivery delivery, RequestEnvelope envelope);
}
