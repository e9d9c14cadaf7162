package io.iocluster.simulation.cluster;

/** Observes a cluster for the oracle. Called on the thread of the simulation. */
public interface ClusterListener {

    /** An app sends a call. */
    void sent(PlannedCall call);

    /** A node has a new share of the limits that the nodes divide. */
    void shareChanged(SimulatedNode node);

    /** A node has drained, and its process ends now. */
    void drained(SimulatedNode node);
}
