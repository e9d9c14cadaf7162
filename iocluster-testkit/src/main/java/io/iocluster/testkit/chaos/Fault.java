package io.iocluster.testkit.chaos;

import java.io.IOException;

/** One disturbance of a cluster of two nodes and its broker. Nodes are numbered from 0. */
public sealed interface Fault {

    /** Causes the fault, and returns when it is over. */
    void inject(FaultInjector actions) throws IOException, InterruptedException;

    /** Kills a node with SIGKILL and starts it again after a time. */
    record KillNode(int node, int downMillis) implements Fault {

        @Override
        public void inject(FaultInjector actions) {
            actions.killNode(node, downMillis);
        }
    }

    /** Ends a node with SIGTERM and starts it again when it has ended. */
    record TerminateNode(int node) implements Fault {

        @Override
        public void inject(FaultInjector actions) {
            actions.terminateNode(node);
        }
    }

    /** Freezes a node with SIGSTOP and continues it after a time. */
    record SuspendNode(int node, int millis) implements Fault {

        @Override
        public void inject(FaultInjector actions) {
            actions.suspendNode(node, millis);
        }
    }

    /** Resizes a node through its admin API. */
    record ResizeNode(int node, int threads, int maxInFlight) implements Fault {

        @Override
        public void inject(FaultInjector actions) throws IOException, InterruptedException {
            actions.resizeNode(node, threads, maxInFlight);
        }
    }

    /** Edits the configuration file of a running node. */
    record EditConfiguration(int node, ConfigurationEdit edit) implements Fault {

        @Override
        public void inject(FaultInjector actions) {
            actions.editConfiguration(node, edit);
        }
    }

    /** Makes foreign consumers join the nodes' consumers and leave again, one after the other. They settle no messages. */
    record ChurnConsumers(int consumers, int membershipMillis) implements Fault {

        @Override
        public void inject(FaultInjector actions) {
            actions.churnConsumers(consumers, membershipMillis);
        }
    }

    /** Starts a third node and ends it with SIGTERM after a time. */
    record AddNode(int millis) implements Fault {

        @Override
        public void inject(FaultInjector actions) {
            actions.addNode(millis);
        }
    }

    /** Ends the broker, or the leader in a cluster of brokers, and starts it again after a time. */
    record RestartBroker(boolean sigkill, int downMillis) implements Fault {

        @Override
        public void inject(FaultInjector actions) {
            actions.restartBroker(sigkill, downMillis);
        }
    }

    /** Freezes the broker with SIGSTOP and continues it after a time. */
    record SuspendBroker(int millis) implements Fault {

        @Override
        public void inject(FaultInjector actions) {
            actions.suspendBroker(millis);
        }
    }

    /** Closes every client connection at the broker. */
    record CutConnections() implements Fault {

        @Override
        public void inject(FaultInjector actions) {
            actions.cutConnections();
        }
    }

    /** Moves the leader of the request queue to another broker. */
    record MoveLeader() implements Fault {

        @Override
        public void inject(FaultInjector actions) {
            actions.moveLeader();
        }
    }

    /** Deletes the topic or queue that some calls name in {@code replyTo}. It exists again when the plan is over. */
    record DeleteReplyTo() implements Fault {

        @Override
        public void inject(FaultInjector actions) {
            actions.deleteReplyTo();
        }
    }

    /** Changes how the targets answer later calls; the URL of each call says how. */
    record ChangeCallMix(CallMix callMix) implements Fault {

        @Override
        public void inject(FaultInjector actions) {
            // Targets do what the URLs of the planned calls say.
        }
    }
}
