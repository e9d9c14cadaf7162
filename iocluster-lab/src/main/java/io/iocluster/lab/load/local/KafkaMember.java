package io.iocluster.lab.load.local;

import io.iocluster.testkit.kafka.KafkaProcess;
import java.io.IOException;
import java.util.Map;

/** A Kafka broker in a separate process. Confined to one thread. */
final class KafkaMember implements BrokerMember {

    private static final int PARTITIONS = 12;

    private final KafkaProcess broker;

    /** Starts the broker and creates the topics. */
    KafkaMember(int port) throws IOException {
        try {
            broker = KafkaProcess.launch(port, Map.of());
        } catch (IllegalStateException failed) {
            throw new IOException(failed.getMessage(), failed);
        }
        broker.createTopic("iocluster.requests", PARTITIONS, Map.of("compression.type", "uncompressed"));
        broker.createTopic("iocluster.answers", PARTITIONS, Map.of());
        broker.createTopic("iocluster.dead-letters", 1, Map.of());
    }

    @Override
    public boolean isAlive() {
        return broker.isAlive();
    }

    @Override
    public long pid() {
        return broker.pid();
    }

    @Override
    public void restart() throws IOException {
        try {
            broker.start();
        } catch (IllegalStateException failed) {
            throw new IOException(failed.getMessage(), failed);
        }
    }

    @Override
    public String nodeSettings() {
        return """
                transport: kafka
                kafka: {bootstrap-servers: "%s", create-topics: {enabled: true}}
                """.formatted(broker.bootstrapServers());
    }

    @Override
    public void close() {
        broker.close();
    }
}
