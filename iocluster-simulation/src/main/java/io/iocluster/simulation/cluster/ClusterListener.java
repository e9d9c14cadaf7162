package io.iocluster.simulation.cluster;

import io.iocluster.transport.PublishResult;
import java.util.concurrent.CompletionStage;

/** Observes a cluster for the oracle. Called on the thread of the simulation. */
public interface ClusterListener {

    /** An app sends a call. */
    void sent(PlannedCall call);

    /** A node has a new share of the limits that the nodes divide. */
    void shareChanged(SimulatedNode node);

    /** A node has drained, and its process ends now. */
    void drained(SimulatedNode node);

    /**
     * A process publishes an answer.
     *
     * @param replyTo null for the configured queue
     * @param result what its sink will say
     */
    void publishes(String node, String call, String replyTo, CompletionStage<PublishResult> result);

    /** The sink of a process says that there is no such queue. */
    void isMissing(String node, String replyTo);
}
