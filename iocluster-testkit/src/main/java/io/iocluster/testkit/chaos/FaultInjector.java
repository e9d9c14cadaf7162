package io.iocluster.testkit.chaos;

import java.io.IOException;

/** Executes faults. Each method returns when its fault is over; {@link Fault} describes them. Thread-safe. */
public interface FaultInjector {

    void killNode(int node, int downMillis);

    void terminateNode(int node);

    void suspendNode(int node, int millis);

    void stepClock(int node, int offsetMillis, int millis);

    void resizeNode(int node, int threads, int maxInFlight) throws IOException, InterruptedException;

    void editConfiguration(int node, ConfigurationEdit edit);

    void churnConsumers(int consumers, int membershipMillis);

    void addNode(int millis);

    void restartBroker(boolean sigkill, int downMillis);

    void suspendBroker(int millis);

    void cutConnections();

    void moveLeader();

    void deleteReplyTo();
}
