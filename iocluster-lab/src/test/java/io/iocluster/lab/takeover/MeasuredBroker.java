package io.iocluster.lab.takeover;

import io.iocluster.client.spi.ClientTransport;
import io.iocluster.kafka.client.KafkaClientTransport;
import io.iocluster.rabbit.client.RabbitClientTransport;
import io.iocluster.testkit.kafka.KafkaBroker;
import io.iocluster.testkit.rabbit.RabbitBroker;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A broker with the default settings for groups and sessions. Those of the testkit are shorter. Owned by one test.
 *
 * @param client the transport of the client that makes the calls
 * @param settings the settings of nodes, in YAML
 */
record MeasuredBroker(AutoCloseable process, ClientTransport client, String settings) implements AutoCloseable {

    private static final int PARTITIONS = 12;

    /** The defaults of Kafka 4. */
    private static final Map<String, String> KAFKA_DEFAULTS = Map.of(
            "group.initial.rebalance.delay.ms", "3000",
            "group.consumer.session.timeout.ms", "45000",
            "group.consumer.min.session.timeout.ms", "45000",
            "group.consumer.heartbeat.interval.ms", "5000",
            "group.consumer.min.heartbeat.interval.ms", "5000",
            "group.share.heartbeat.interval.ms", "5000",
            "group.share.min.heartbeat.interval.ms", "5000",
            "broker.session.timeout.ms", "9000",
            "broker.heartbeat.interval.ms", "2000");

    /**
     * Starts Kafka.
     *
     * @param changes settings of the broker that are not the defaults
     * @param lines settings of the section {@code kafka} of nodes, indented by two spaces
     */
    static MeasuredBroker kafka(Map<String, String> changes, String lines) {
        Map<String, String> properties = new HashMap<>(KAFKA_DEFAULTS);
        properties.putAll(changes);
        KafkaBroker broker = KafkaBroker.launch(properties);
        for (String topic : List.of("iocluster.requests", "iocluster.answers", "iocluster.dead-letters")) {
            broker.createTopic(topic, PARTITIONS, Map.of());
        }
        return new MeasuredBroker(broker, KafkaClientTransport.at(broker.bootstrapServers()), """
                transport: kafka
                kafka:
                  bootstrap-servers: "%s"
                  create-topics: {enabled: true}
                %s
                """.formatted(
                        broker.bootstrapServers(), lines));
    }

    /** Starts RabbitMQ. Nodes declare quorum queues. */
    static MeasuredBroker rabbit() {
        RabbitBroker broker = RabbitBroker.launch();
        return new MeasuredBroker(broker, RabbitClientTransport.at(broker.uri()), """
                transport: rabbit
                rabbit:
                  uris: ["%s"]
                  answers: {reply-to: ["iocluster.replies.*"]}
                  declare: {enabled: true}
                """.formatted(broker.uri()));
    }

    @Override
    public void close() throws Exception {
        process.close();
    }
}
