package io.iocluster.lab.demo;

import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.SettingsLoader;
import io.iocluster.rabbit.config.RabbitSettings;
import io.iocluster.rabbit.connection.RabbitQueueAdmin;
import io.iocluster.testkit.rabbit.RabbitBroker;
import io.iocluster.testkit.target.TargetServer;
import io.iocluster.thread.Platform;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** A single-node RabbitMQ broker and a target server, both on this machine. */
public final class RabbitDemoEnvironment implements DemoEnvironment {

    private final RabbitBroker broker;
    private final TargetServer target;

    private RabbitDemoEnvironment(RabbitBroker broker, TargetServer target) {
        this.broker = broker;
        this.target = target;
    }

    /**
     * Starts the broker and the target, declares the queues and returns when all are ready.
     *
     * @throws IOException if RabbitMQ is not installed or cannot be started
     */
    public static RabbitDemoEnvironment start() throws IOException {
        RabbitBroker broker = launch();
        try {
            new RabbitQueueAdmin(settings(broker), "demo", Platform.system()).declare();
            return new RabbitDemoEnvironment(broker, TargetServer.start(0, 1, false));
        } catch (IOException | RuntimeException failed) {
            broker.close();
            throw failed;
        }
    }

    private static RabbitSettings settings(RabbitBroker broker) {
        return new SettingsLoader<>(NodeSettings.class, Map.of())
                .load(nodeConfiguration(broker), Path.of("."))
                .settings()
                .rabbit();
    }

    private static RabbitBroker launch() throws IOException {
        try {
            return RabbitBroker.launch();
        } catch (IllegalStateException failed) {
            throw new IOException(failed.getMessage(), failed);
        }
    }

    @Override
    public String nodeConfiguration() {
        return nodeConfiguration(broker);
    }

    private static String nodeConfiguration(RabbitBroker broker) {
        return """
                transport: rabbit
                rabbit: {uris: ["%s"], declare: {enabled: true}, answers: {reply-to: ["iocluster.replies.*"]}}
                egress: {schemes: [http], ports: [], allow-networks: [127.0.0.0/8]}
                """.formatted(broker.uri());
    }

    @Override
    public String brokerAddress() {
        return broker.uri();
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
