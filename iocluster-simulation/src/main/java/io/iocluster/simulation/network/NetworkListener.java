package io.iocluster.simulation.network;

/** Observes the attempts of all nodes for the oracle. Called on the thread of the simulation. */
public interface NetworkListener {

    /** A node starts an attempt. */
    void started(Attempt attempt);

    /** The node has the result of the attempt, or has closed its connection. */
    void ended(Attempt attempt);
}
