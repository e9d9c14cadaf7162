package io.iocluster.simulation.cluster;

/** Observes a cluster for the oracle. Called on the thread of the simulation. */
public interface ClusterListener {

    /** An app sends a call. */
    void sent(PlannedCall call);

    /** A node has drained, and its process ends now. */
    void drained(SimulatedNode node);
}
