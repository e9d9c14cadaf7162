package io.iocluster.node.demo;

import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.SettingsLoader;
import io.iocluster.rabbit.RabbitQueues;
import io.iocluster.rabbit.RabbitSettings;
import io.iocluster.testkit.broker.RabbitBroker;
import io.iocluster.testkit.target.TargetServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** A RabbitMQ of one node and a target server, both on this machine. */
public final class RabbitStage implements DemoStage {

    private final RabbitBroker broker;
    private final TargetServer target;

    private RabbitStage(RabbitBroker broker, TargetServer target) {
        this.broker = broker;
        this.target = target;
    }

    /**
     * Starts both and returns when they answer and the queues are there, which nobody has then to look for in vain.
     *
     * @throws IOException if there is no RabbitMQ to start
     */
    public static RabbitStage start() throws IOException {
        RabbitBroker broker = launch();
        try {
            new RabbitQueues(settings(broker), "demo").declare();
            return new RabbitStage(broker, TargetServer.start(0, 1, false));
        } catch (IOException | RuntimeException failed) {
            broker.close();
            throw failed;
        }
    }

    private static RabbitSettings settings(RabbitBroker broker) {
        return new SettingsLoader<>(NodeSettings.class, Map.of())
                .load(configuration(broker), Path.of("."))
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
    public String configuration() {
        return configuration(broker);
    }

    private static String configuration(RabbitBroker broker) {
        return """
                transport: rabbit
                rabbit: {uris: ["%s"], declare: {enabled: true}, answers: {reply-to: ["iocluster.replies.*"]}}
                egress: {schemes: [http], ports: [], allow-networks: [127.0.0.0/8]}
                """.formatted(broker.uri());
    }

    @Override
    public String broker() {
        return broker.uri();
    }

    @Override
    public String url() {
        return target.url("/ok");
    }

    @Override
    public void close() {
        try (broker) {
            target.close();
        }
    }
}
