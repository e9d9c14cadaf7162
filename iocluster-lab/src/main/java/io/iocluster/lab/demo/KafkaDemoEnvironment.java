package io.iocluster.lab.demo;

import io.iocluster.testkit.kafka.KafkaBroker;
import io.iocluster.testkit.target.TargetServer;
import java.util.Map;

/** A single-node Kafka broker and a target server, both on this machine. */
public final class KafkaDemoEnvironment implements DemoEnvironment {

    private static final int PARTITIONS = 12;

    private final KafkaBroker broker;
    private final TargetServer target;

    private KafkaDemoEnvironment(KafkaBroker broker, TargetServer target) {
        this.broker = broker;
        this.target = target;
    }

    /** Starts the broker and the target, creates the topics and returns when all are ready. */
    public static KafkaDemoEnvironment start() {
        KafkaBroker broker = KafkaBroker.launch();
        try {
            broker.createTopic("iocluster.requests", PARTITIONS, Map.of("compression.type", "uncompressed"));
            broker.createTopic("iocluster.answers", PARTITIONS, Map.of());
            broker.createTopic("iocluster.dead-letters", 1, Map.of());
            return new KafkaDemoEnvironment(broker, TargetServer.start(0, 1, false));
        } catch (RuntimeException failed) {
            broker.close();
            throw failed;
        }
    }

    @Override
    public String nodeConfiguration() {
        return """
                transport: kafka
                kafka: {bootstrap-servers: "%s"}
                egress: {schemes: [http], ports: [], allow-networks: [127.0.0.0/8]}
                """.formatted(broker.bootstrapServers());
    }

    @Override
    public String brokerAddress() {
        return broker.bootstrapServers();
    }

    @Override
    public String targetUrl() {
        return target.url("/ok");
    }

    @Override
    public void close() {
        try (broker) {
            target.close();
        }
    }
}
