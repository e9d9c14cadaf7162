package io.iocluster.simulation.broker;

/** Observes a broker for the oracle. Called on the thread of the simulation. */
public interface BrokerListener {

    /** The process reads a message of this call again, although nothing was lost. */
    void repeated(String call, String node, String why);

    /** The process reads a message of this call before one that it has to wait for. */
    void overtook(String call, String node, String other);

    /** The broker has handed a message of this call to this process. */
    void delivered(String call, String node);

    /** The delivery before was not the first one of its message, so the call may run twice at the same time. */
    void redelivered(String call);

    /** The process has settled a message of this call for good. */
    void acknowledged(String call, String node);

    /** The process has given a message of this call back. */
    void released(String call, String node);

    /** The broker has stored a message that a process published. */
    void published(Published message);

    /** The broker has moved a message of this call to the dead letters, because it was delivered too often. */
    void deliveredTooOften(String call);

    /** The broker has lost a message of this call that a node published. */
    void lost(String call, byte[] payload);

    /** The broker has stored a message of this call, and its publisher does not learn it. */
    void confirmLost(String call);
}
