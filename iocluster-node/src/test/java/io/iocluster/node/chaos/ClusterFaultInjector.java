package io.iocluster.node.chaos;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.node.chaos.broker.ChaosBroker;
import io.iocluster.node.chaos.node.ChaosNode;
import io.iocluster.node.chaos.node.TemporaryNode;
import io.iocluster.testkit.chaos.ConfigurationEdit;
import io.iocluster.testkit.chaos.FaultInjector;
import io.iocluster.testkit.chaos.invariant.CallRecorder;
import java.io.IOException;
import java.util.List;

/**
 * Applies faults to nodes and the broker. Faults of different nodes and of the broker overlap. Faults of one of them wait for each
 * other. Thread-safe.
 */
final class ClusterFaultInjector implements FaultInjector {

    @GuardedBy("this")
    private final ChaosBroker broker;

    private final ChaosBroker anyThread;
    private final List<ChaosNode> nodes;
    private final TemporaryNode temporaryNode;
    private final CallRecorder recorder;

    ClusterFaultInjector(
            ChaosBroker broker, List<ChaosNode> nodes, TemporaryNode temporaryNode, CallRecorder recorder) {
        this.broker = broker;
        this.anyThread = broker;
        this.nodes = List.copyOf(nodes);
        this.temporaryNode = temporaryNode;
        this.recorder = recorder;
    }

    @Override
    public void killNode(int node, int awayMillis) {
        nodes.get(node).kill(awayMillis);
    }

    @Override
    public void terminateNode(int node) {
        nodes.get(node).terminate();
    }

    @Override
    public void suspendNode(int node, int millis) {
        nodes.get(node).suspend(millis);
    }

    @Override
    public void stepClock(int node, int offsetMillis, int millis) {
        nodes.get(node).stepClock(offsetMillis, millis);
    }

    @Override
    public void resizeNode(int node, int threads, int maxInFlight) throws IOException, InterruptedException {
        nodes.get(node).resize(threads, maxInFlight);
    }

    @Override
    public void editConfiguration(int node, ConfigurationEdit edit) {
        nodes.get(node).edit(edit);
    }

    @Override
    public void churnConsumers(int consumers, int millisEach) {
        anyThread.joinAndLeave(consumers, millisEach);
    }

    @Override
    public void addNode(int millis) {
        temporaryNode.runFor(millis);
    }

    @Override
    public synchronized void restartBroker(boolean killed, int awayMillis) {
        broker.restart(killed, awayMillis);
    }

    @Override
    public synchronized void suspendBroker(int millis) {
        broker.suspend(millis);
    }

    @Override
    public synchronized void cutConnections() {
        broker.cutConnections();
    }

    @Override
    public synchronized void moveLeader() {
        broker.moveLeaders();
    }

    @Override
    public synchronized void deleteReplyTo() {
        broker.collect(recorder);
        recorder.recordReplyToDeleted();
        broker.deleteReplyTo();
        // The broker confirms answers until the deletion takes effect, and deletes them too.
        recorder.recordReplyToDeleted();
    }
}
