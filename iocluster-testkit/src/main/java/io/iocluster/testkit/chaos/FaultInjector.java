package io.iocluster.testkit.chaos;

import java.io.IOException;

/** Executes a {@link Fault}. Each method returns when the fault is over. Thread-safe. */
public interface FaultInjector {

    void killNode(int node, int awayMillis);

    void terminateNode(int node);

    void suspendNode(int node, int millis);

    void resizeNode(int node, int threads, int maxInFlight) throws IOException, InterruptedException;

    void editConfiguration(int node, ConfigurationEdit edit);

    void churnConsumers(int consumers, int millisEach);

    void addNode(int millis);

    void restartBroker(boolean killed, int awayMillis);

    void suspendBroker(int millis);

    void cutConnections();

    void moveLeader();

    void deleteReplyTo();
}
