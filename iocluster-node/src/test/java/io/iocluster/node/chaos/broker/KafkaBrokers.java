package io.iocluster.node.chaos.broker;

import io.iocluster.node.KafkaNodeFixture;
import io.iocluster.testkit.kafka.KafkaBroker;
import io.iocluster.testkit.kafka.KafkaCluster;
import java.util.List;

/** A single Kafka broker, or a cluster of two. */
interface KafkaBrokers extends AutoCloseable {

    KafkaBroker first();

    String bootstrapServers();

    KafkaBroker leaderOf(String topic);

    /** Moves the leader of each partition to the other broker. */
    void moveLeaders(List<String> topics);

    @Override
    void close();

    static KafkaBrokers one() {
        return new SingleBroker(KafkaBroker.launch(KafkaNodeFixture.SHORT_SESSIONS));
    }

    static KafkaBrokers two() {
        return new TwoBrokerCluster(KafkaCluster.launch(2, KafkaNodeFixture.SHORT_SESSIONS));
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
