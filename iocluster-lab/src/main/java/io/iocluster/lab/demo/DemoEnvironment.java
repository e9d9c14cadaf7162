package io.iocluster.lab.demo;

import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.SettingsLoader;
import io.iocluster.rabbit.connection.RabbitQueueAdmin;
import io.iocluster.testkit.kafka.KafkaBroker;
import io.iocluster.testkit.rabbit.RabbitBroker;
import io.iocluster.testkit.target.TargetServer;
import io.iocluster.thread.Platform;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * A broker with its topics or queues, and a target server, both on this machine. The creator closes it.
 *
 * @param nodeConfiguration the YAML configuration for a node in this environment
 * @param brokerAddress the address of the broker, in the form that its clients take
 * @param targetUrl the URL that the demo calls
 * @param stop stops the broker and the target, and deletes their files
 */
public record DemoEnvironment(String nodeConfiguration, String brokerAddress, String targetUrl, Runnable stop)
        implements AutoCloseable {

    private static final int PARTITIONS = 12;

    private static final String EGRESS = "egress: {schemes: [http], ports: [], allow-networks: [127.0.0.0/8]}\n";

    /** Starts a single-node Kafka broker and the target, creates the topics and returns when all are ready. */
    public static DemoEnvironment startKafka() {
        KafkaBroker broker = KafkaBroker.launch();
        try {
            broker.createTopic("iocluster.requests", PARTITIONS, Map.of("compression.type", "uncompressed"));
            broker.createTopic("iocluster.answers", PARTITIONS, Map.of());
            broker.createTopic("iocluster.dead-letters", 1, Map.of());
            TargetServer target = TargetServer.start(0, 1, false);
            String configuration = """
                    transport: kafka
                    kafka: {bootstrap-servers: "%s"}
                    """.formatted(broker.bootstrapServers()) + EGRESS;
            return new DemoEnvironment(configuration, broker.bootstrapServers(), target.url("/ok"), () -> {
                try (broker) {
                    target.close();
                }
            });
        } catch (RuntimeException failed) {
            broker.close();
            throw failed;
        }
    }

    /**
     * Starts a single-node RabbitMQ broker and the target, declares the queues and returns when all are ready.
     *
     * @throws IOException if RabbitMQ is not installed or cannot be started
     */
    public static DemoEnvironment startRabbit() throws IOException {
        RabbitBroker broker = launchRabbit();
        try {
            String configuration = """
                    transport: rabbit
                    rabbit: {uris: ["%s"], declare: {enabled: true}, answers: {reply-to: ["iocluster.replies.*"]}}
                    """.formatted(broker.uri()) + EGRESS;
            NodeSettings settings = new SettingsLoader<>(NodeSettings.class, Map.of())
                    .load(configuration, Path.of("."))
                    .settings();
            new RabbitQueueAdmin(settings.rabbit(), "demo", Platform.system()).declare();
            TargetServer target = TargetServer.start(0, 1, false);
            return new DemoEnvironment(configuration, broker.uri(), target.url("/ok"), () -> {
                try (broker) {
                    target.close();
                }
            });
        } catch (IOException | RuntimeException failed) {
            broker.close();
            throw failed;
        }
    }

    private static RabbitBroker launchRabbit() throws IOException {
        try {
            return RabbitBroker.launch();
        } catch (IllegalStateException failed) {
            throw new IOException(failed.getMessage(), failed);
        }
    }

    @Override
    public void close() {
        stop.run();
    }
}
