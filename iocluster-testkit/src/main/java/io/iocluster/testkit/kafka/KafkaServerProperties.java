package io.iocluster.testkit.kafka;

import java.util.LinkedHashMap;
import java.util.Map;

/** Properties of a single-node Kafka broker that is small, starts fast and rebalances fast. Stateless. */
final class KafkaServerProperties {

    private KafkaServerProperties() {}

    /** Returns the properties of both a process and a container. */
    static Map<String, String> commonProperties() {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("auto.create.topics.enable", "false");
        properties.put("default.replication.factor", "1");
        properties.put("offsets.topic.replication.factor", "1");
        properties.put("offsets.topic.num.partitions", "3");
        properties.put("transaction.state.log.replication.factor", "1");
        properties.put("transaction.state.log.min.isr", "1");
        properties.put("transaction.state.log.num.partitions", "3");
        properties.put("share.coordinator.state.topic.replication.factor", "1");
        properties.put("share.coordinator.state.topic.min.isr", "1");
        properties.put("share.coordinator.state.topic.num.partitions", "3");
        properties.put("group.initial.rebalance.delay.ms", "0");
        properties.put("group.coordinator.rebalance.protocols", "classic,consumer");
        // Short intervals: members learn of a rebalance with their next heartbeat, and a killed member times out soon.
        properties.put("group.consumer.min.heartbeat.interval.ms", "500");
        properties.put("group.consumer.heartbeat.interval.ms", "500");
        properties.put("group.consumer.min.session.timeout.ms", "5000");
        properties.put("group.consumer.session.timeout.ms", "10000");
        return properties;
    }

    /** Returns the properties of a process: the common ones, listeners and a single-node quorum. */
    static Map<String, String> processProperties(int port, int controllerPort, String dataFolder) {
        Map<String, String> properties = commonProperties();
        properties.put("process.roles", "broker,controller");
        properties.put("node.id", "1");
        properties.put("controller.quorum.voters", "1@127.0.0.1:" + controllerPort);
        properties.put("controller.listener.names", "CONTROLLER");
        properties.put("listeners", "PLAINTEXT://127.0.0.1:" + port + ",CONTROLLER://127.0.0.1:" + controllerPort);
        properties.put("advertised.listeners", "PLAINTEXT://127.0.0.1:" + port);
        properties.put("inter.broker.listener.name", "PLAINTEXT");
        properties.put("log.dirs", dataFolder);
        return properties;
    }
}
