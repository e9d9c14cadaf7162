package io.iocluster.rabbit.sink;

/** Lets a link act on its publisher. Called on the loop. */
interface LinkOwner {

    /** Takes a message that this link must not send. Returns false if the link must send it. */
    boolean reroute(PendingPublish publication);

    /** Makes the publisher call {@link PublishLink#publishAll} soon. */
    void requestRun();

    /** Makes the link's supervisor look at {@link PublishLink#checkUsable} and {@link PublishLink#needsNewChannel} soon. */
    void wakeUpSupervisor();

    /** Records that the broker has refused a message to the queue. */
    void refused(String queue);

    /** Records that the queue does not exist. */
    void queueMissing(String queue);
}
