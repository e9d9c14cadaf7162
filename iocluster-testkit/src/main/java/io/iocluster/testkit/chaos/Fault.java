package io.iocluster.testkit.chaos;

import java.io.IOException;

/** A fault of a cluster of two nodes and its broker. Nodes are numbered from 0. */
public sealed interface Fault {

    FaultKind kind();

    /** Injects the fault and returns when it is over. */
    void inject(FaultInjector injector) throws IOException, InterruptedException;

    /** Kills a node with SIGKILL and restarts it after a time. */
    record KillNode(int node, int downMillis) implements Fault {

        @Override
        public FaultKind kind() {
            return FaultKind.KILL_NODE;
        }

        @Override
        public void inject(FaultInjector injector) {
            injector.killNode(node, downMillis);
        }
    }

    /** Stops a node with SIGTERM and restarts it when it has ended. */
    record TerminateNode(int node) implements Fault {

        @Override
        public FaultKind kind() {
            return FaultKind.TERMINATE_NODE;
        }

        @Override
        public void inject(FaultInjector injector) {
            injector.terminateNode(node);
        }
    }

    /** Suspends a node with SIGSTOP and resumes it after a time. */
    record SuspendNode(int node, int millis) implements Fault {

        @Override
        public FaultKind kind() {
            return FaultKind.SUSPEND_NODE;
        }

        @Override
        public void inject(FaultInjector injector) {
            injector.suspendNode(node, millis);
        }
    }

    /** Steps the wall clock of a node, and steps it back after a time. */
    record StepClock(int node, int offsetMillis, int millis) implements Fault {

        @Override
        public FaultKind kind() {
            return FaultKind.STEP_CLOCK;
        }

        @Override
        public void inject(FaultInjector injector) {
            injector.stepClock(node, offsetMillis, millis);
        }

        /** Returns for how long the clock shows a time that it has shown before. */
        public int repeatedMillis() {
            return offsetMillis > 0 ? offsetMillis : Math.min(-offsetMillis, millis);
        }
    }

    /** Resizes a node through its admin API. */
    record ResizeNode(int node, int threads, int maxInFlight) implements Fault {

        @Override
        public FaultKind kind() {
            return FaultKind.RESIZE_NODE;
        }

        @Override
        public void inject(FaultInjector injector) throws IOException, InterruptedException {
            injector.resizeNode(node, threads, maxInFlight);
        }
    }

    /** Edits the configuration file of a running node. */
    record EditConfiguration(int node, ConfigurationEdit edit) implements Fault {

        @Override
        public FaultKind kind() {
            return FaultKind.EDIT_CONFIGURATION;
        }

        @Override
        public void inject(FaultInjector injector) {
            injector.editConfiguration(node, edit);
        }
    }

    /** Lets further consumers join the nodes' group and leave it, one after the other. They settle no messages. */
    record ChurnConsumers(int consumers, int membershipMillis) implements Fault {

        @Override
        public FaultKind kind() {
            return FaultKind.CHURN_CONSUMERS;
        }

        @Override
        public void inject(FaultInjector injector) {
            injector.churnConsumers(consumers, membershipMillis);
        }
    }

    /** Starts a third node and stops it with SIGTERM after a time. */
    record AddNode(int millis) implements Fault {

        @Override
        public FaultKind kind() {
            return FaultKind.ADD_NODE;
        }

        @Override
        public void inject(FaultInjector injector) {
            injector.addNode(millis);
        }
    }

    /** Stops the broker, or the leader of a broker cluster, and restarts it after a time. */
    record RestartBroker(boolean sigkill, int downMillis) implements Fault {

        @Override
        public FaultKind kind() {
            return FaultKind.RESTART_BROKER;
        }

        @Override
        public void inject(FaultInjector injector) {
            injector.restartBroker(sigkill, downMillis);
        }
    }

    /** Suspends the broker with SIGSTOP and resumes it after a time. */
    record SuspendBroker(int millis) implements Fault {

        @Override
        public FaultKind kind() {
            return FaultKind.SUSPEND_BROKER;
        }

        @Override
        public void inject(FaultInjector injector) {
            injector.suspendBroker(millis);
        }
    }

    /** Closes every client connection at the broker. */
    record CutConnections() implements Fault {

        @Override
        public FaultKind kind() {
            return FaultKind.CUT_CONNECTIONS;
        }

        @Override
        public void inject(FaultInjector injector) {
            injector.cutConnections();
        }
    }

    /** Moves the leaders of the queues to another broker. */
    record MoveLeader() implements Fault {

        @Override
        public FaultKind kind() {
            return FaultKind.MOVE_LEADER;
        }

        @Override
        public void inject(FaultInjector injector) {
            injector.moveLeader();
        }
    }

    /**
     * Deletes the topic or queue that some calls name in {@code replyTo}. It is recreated before the end of the plan.
     */
    record DeleteReplyTo() implements Fault {

        @Override
        public FaultKind kind() {
            return FaultKind.DELETE_REPLY_TO;
        }

        @Override
        public void inject(FaultInjector injector) {
            injector.deleteReplyTo();
        }
    }

    /** Changes the mix of later calls. The URL of each call determines what its target does. */
    record ChangeCallMix(CallMix callMix) implements Fault {

        @Override
        public FaultKind kind() {
            return FaultKind.CHANGE_CALL_MIX;
        }

        @Override
        public void inject(FaultInjector injector) {
            // The planner has already chosen the later calls from this mix.
        }
    }
}
