package io.iocluster.node.chaos.broker;

import io.iocluster.testkit.rabbit.RabbitBroker;
import io.iocluster.testkit.rabbit.RabbitCluster;
import io.iocluster.testkit.rabbit.RabbitProcess;
import io.iocluster.testkit.rabbit.RabbitQueues;
import java.util.List;

/** A single RabbitMQ node, or a cluster of three. */
interface RabbitBrokers extends AutoCloseable {

    /** Returns the broker whose management API is used. */
    RabbitBroker first();

    List<String> uris();

    RabbitBroker leaderOf(String queue);

    /** Moves the queue's leader to another node. */
    void moveLeader(String queue);

    @Override
    void close();

    static RabbitBrokers one() {
        return new SingleBroker(RabbitBroker.launch());
    }

    static RabbitBrokers three() {
        return new ThreeBrokerCluster(RabbitCluster.launch(3));
    }

    record SingleBroker(RabbitBroker first) implements RabbitBrokers {

        @Override
        public List<String> uris() {
            return List.of(first.uri());
        }

        @Override
        public RabbitBroker leaderOf(String queue) {
            return first;
        }

        @Override
        public void moveLeader(String queue) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {
            first.close();
        }
    }

    record ThreeBrokerCluster(RabbitCluster cluster) implements RabbitBrokers {

        @Override
        public RabbitBroker first() {
            return cluster.nodes().get(0);
        }

        @Override
        public List<String> uris() {
            return cluster.uris();
        }

        @Override
        public RabbitBroker leaderOf(String queue) {
            return cluster.leaderOf(queue);
        }

        /** Calls an internal function of RabbitMQ, because it has no command for one queue. */
        @Override
        public void moveLeader(String queue) {
            RabbitProcess leader = cluster.leaderOf(queue);
            RabbitProcess next = cluster.nodes().stream()
                    .filter(node -> node != leader)
                    .findFirst()
                    .orElseThrow();
            leader.eval("{ok, Q} = " + RabbitQueues.lookup(queue) + ", rabbit_quorum_queue:transfer_leadership(Q, '"
                    + next.nodeName() + "')");
        }

        @Override
        public void close() {
            cluster.close();
        }
    }
}
