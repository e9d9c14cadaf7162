package io.iocluster.pipeline;

/** Learns how the publishing of an answer ended. Called once for each {@link PendingAnswer}, on any thread. */
interface PublishListener {

    /** The broker holds it. */
    void confirmed(PendingAnswer answer);

    /** The broker does not take a message of this size; the listener may publish a smaller one. */
    void tooLarge(PendingAnswer answer, String problem);

    /** The node stops, or a defect keeps the answer from being published: the message goes back to its queue. */
    void abandoned(PendingAnswer answer, String problem, Throwable bug);
}
