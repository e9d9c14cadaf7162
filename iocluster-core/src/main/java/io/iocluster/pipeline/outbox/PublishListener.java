package io.iocluster.pipeline.outbox;

import io.iocluster.transport.PublishResult.TooLarge;

/** Receives the result of publishing an answer. Called once for each {@link PendingAnswer}, on any thread. */
public interface PublishListener {

    /** The broker confirmed it. */
    void confirmed(PendingAnswer answer);

    /** It is too large for the broker; the listener may publish a smaller one. */
    void tooLarge(PendingAnswer answer, TooLarge refusal);

    /** The node stops, or a defect prevents publishing: the message returns to its queue. */
    void abandoned(PendingAnswer answer, String problem, Throwable bug);
}
