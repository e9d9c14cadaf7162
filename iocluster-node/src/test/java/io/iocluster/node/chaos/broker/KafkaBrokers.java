package io.iocluster.node.chaos.broker;

import io.iocluster.testkit.kafka.KafkaBroker;
import io.iocluster.testkit.kafka.KafkaCluster;
import java.util.List;
import java.util.Map;

/** A single Kafka broker, or a cluster of two. */
interface KafkaBrokers extends AutoCloseable {

    /**
     * The longest session timeout with which nodes use the consumer group protocol. Tests need not wait 45 s for the partitions of a killed
     * node, and a node keeps its partitions while a busy machine pauses it or the broker for some seconds.
     */
    Map<String, String> SHORT_SESSIONS = Map.of(
            "group.consumer.session.timeout.ms", "10000",
            "group.consumer.min.session.timeout.ms", "10000",
            "group.consumer.heartbeat.interval.ms", "1000",
            "group.consumer.min.heartbeat.interval.ms", "1000");

    KafkaBroker first();

    String bootstrapServers();

    KafkaBroker leaderOf(String topic);

    /** Moves the leader of each partition to the other broker. */
    void moveLeaders(List<String> topics);

    @Override
    void close();

    static KafkaBrokers one() {
        return new SingleBroker(KafkaBroker.launch(SHORT_SESSIONS));
    }

    static KafkaBrokers two() {
        return new TwoBrokerCluster(KafkaCluster.launch(2, SHORT_SESSIONS));
    }

    record SingleBroker(KafkaBroker first) implements KafkaBrokers {

        @Override
        public String bootstrapServers() {
            return first.bootstrapServers();
        }

        @Override
        public KafkaBroker leaderOf(String topic) {
            return first;
        }

        @Override
        public void moveLeaders(List<String> topics) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {
            first.close();
        }
    }

    record TwoBrokerCluster(KafkaCluster cluster) implements KafkaBrokers {

        @Override
        public KafkaBroker first() {
            return cluster.brokers().get(0);
        }

        @Override
        public String bootstrapServers() {
            return cluster.bootstrapServers();
        }

        @Override
        public KafkaBroker leaderOf(String topic) {
            return cluster.leaderOf(topic);
        }

        @Override
        public void moveLeaders(List<String> topics) {
            cluster.moveLeaders(topics);
        }

        @Override
        public void close() {
            cluster.close();
        }
    }
}
