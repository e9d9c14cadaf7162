package io.iocluster.testkit.kafka;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Properties of Kafka brokers that are small, start fast and rebalance fast. Stateless. */
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
        // The default of 128 MiB is filled at each start.
        properties.put("log.cleaner.dedupe.buffer.size", "2097152");
        // Short intervals: members learn of a rebalance with their next heartbeat, and a killed member times out soon.
        properties.put("group.consumer.min.heartbeat.interval.ms", "500");
        properties.put("group.consumer.heartbeat.interval.ms", "500");
        properties.put("group.consumer.min.session.timeout.ms", "5000");
        properties.put("group.consumer.session.timeout.ms", "10000");
        properties.put("group.share.min.heartbeat.interval.ms", "500");
        properties.put("group.share.heartbeat.interval.ms", "500");
        // The controller accepts a killed broker again only after its session. Must be shorter than the sessions of
        // members: the restarted
        // broker loads its groups at once, but answers only after that.
        properties.put("broker.session.timeout.ms", "3000");
        properties.put("broker.heartbeat.interval.ms", "500");
        return properties;
    }

    /** Returns the properties of a process that is both broker 1 and the controller. */
    static Map<String, String> controllerProperties(int port, int controllerPort) {
        Map<String, String> properties = brokerProperties(1, port, controllerPort);
        properties.put("process.roles", "broker,controller");
        properties.put("listeners", "PLAINTEXT://127.0.0.1:" + port + ",CONTROLLER://127.0.0.1:" + controllerPort);
        return properties;
    }

    /** Returns the properties with further listeners of a process that is both broker 1 and the controller. */
    static Map<String, String> withListeners(
            Map<String, String> properties, Map<String, Integer> listeners, int port, int controllerPort) {
        StringBuilder advertised = new StringBuilder("PLAINTEXT://127.0.0.1:" + port);
        listeners.forEach((name, each) -> advertised.append("," + name + "://127.0.0.1:" + each));
        Map<String, String> all = new LinkedHashMap<>(properties);
        all.put("advertised.listeners", advertised.toString());
        all.put("listeners", advertised + ",CONTROLLER://127.0.0.1:" + controllerPort);
        all.merge(
                "listener.security.protocol.map",
                "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
                (further, own) -> own + "," + further);
        return all;
    }

    /** Returns the properties of a process that is a broker only. */
    static Map<String, String> brokerProperties(int id, int port, int controllerPort) {
        Map<String, String> properties = commonProperties();
        properties.put("process.roles", "broker");
        properties.put("node.id", Integer.toString(id));
        properties.put("controller.quorum.voters", "1@127.0.0.1:" + controllerPort);
        properties.put("controller.listener.names", "CONTROLLER");
        properties.put("listeners", "PLAINTEXT://127.0.0.1:" + port);
        properties.put("advertised.listeners", "PLAINTEXT://127.0.0.1:" + port);
        properties.put("inter.broker.listener.name", "PLAINTEXT");
        return properties;
    }

    /** Returns the properties that give each topic a replica on each of this many brokers. */
    static Map<String, String> replicationProperties(int brokers) {
        Map<String, String> properties = new LinkedHashMap<>();
        for (String topic :
                List.of("default", "offsets.topic", "transaction.state.log", "share.coordinator.state.topic")) {
            properties.put(topic + ".replication.factor", Integer.toString(brokers));
        }
        return properties;
    }
}
