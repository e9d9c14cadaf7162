package io.iocluster.lab.load.local;

import io.iocluster.testkit.kafka.KafkaProcess;
import io.iocluster.testkit.rabbit.RabbitOptions;
import io.iocluster.testkit.rabbit.RabbitProcess;
import java.io.IOException;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * The broker of a local cluster, in a separate process. Confined to one thread.
 *
 * @param nodeSettings the settings with which a node uses the broker, in YAML
 */
record BrokerMember(String nodeSettings, BooleanSupplier alive, LongSupplier processId, Runnable launch, Runnable stop)
        implements Member, AutoCloseable {

    private static final int PARTITIONS = 12;

    /** The brokers of which a local cluster can have one. */
    enum Kind {
        KAFKA(9092),
        RABBIT(5672);

        private final int defaultPort;

        Kind(int defaultPort) {
            this.defaultPort = defaultPort;
        }

        int defaultPort() {
            return defaultPort;
        }
    }

    /**
     * Starts a broker.
     *
     * @throws IOException if it does not start; the message is for the user
     */
    static BrokerMember start(Kind kind, int port) throws IOException {
        try {
            return kind == Kind.KAFKA ? kafka(port) : rabbit(port);
        } catch (IllegalStateException failed) {
            throw new IOException(failed.getMessage(), failed);
        }
    }

    private static BrokerMember kafka(int port) {
        KafkaProcess broker = KafkaProcess.launch(port, Map.of());
        broker.createTopic("iocluster.requests", PARTITIONS, Map.of("compression.type", "uncompressed"));
        broker.createTopic("iocluster.answers", PARTITIONS, Map.of());
        broker.createTopic("iocluster.dead-letters", 1, Map.of());
        String settings = """
                transport: kafka
                kafka: {bootstrap-servers: "%s", create-topics: {enabled: true}}
                """.formatted(broker.bootstrapServers());
        return new BrokerMember(settings, broker::isAlive, broker::pid, broker::start, broker::close);
    }

    /** Starts RabbitMQ with the management API for the lag. The nodes declare its queues. */
    private static BrokerMember rabbit(int port) {
        RabbitProcess broker = RabbitProcess.launch(port, RabbitOptions.DEFAULT.withPlugin(RabbitOptions.MANAGEMENT));
        String settings = """
                transport: rabbit
                rabbit:
                  uris: ["%s"]
                  management: {uris: ["%s"]}
                  declare: {enabled: true}
                  answers: {reply-to: ["iocluster.replies.*"]}
                """.formatted(broker.uri(), broker.managementUri());
        return new BrokerMember(settings, broker::isAlive, broker::pid, broker::start, broker::close);
    }

    @Override
    public String name() {
        return "broker";
    }

    @Override
    public boolean isAlive() {
        return alive.getAsBoolean();
    }

    @Override
    public long pid() {
        return processId.getAsLong();
    }

    @Override
    public void restart() throws IOException {
        try {
            launch.run();
        } catch (IllegalStateException failed) {
            throw new IOException(failed.getMessage(), failed);
        }
    }

    @Override
    public void close() {
        stop.run();
    }
}
