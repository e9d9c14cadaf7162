package io.iocluster.node.demo;

import io.iocluster.testkit.broker.RabbitBroker;
import io.iocluster.testkit.target.TargetServer;
import java.io.IOException;

/** A RabbitMQ of one node and a target server, both on this machine. The node declares the queues. */
public final class RabbitStage implements DemoStage {

    private final RabbitBroker broker;
    private final TargetServer target;

    private RabbitStage(RabbitBroker broker, TargetServer target) {
        this.broker = broker;
        this.target = target;
    }

    /**
     * Starts both and returns when they answer.
     *
     * @throws IOException if there is no RabbitMQ to start
     */
    public static RabbitStage start() throws IOException {
        RabbitBroker broker = launch();
        try {
            return new RabbitStage(broker, TargetServer.start(0, 1, false));
        } catch (RuntimeException failed) {
            broker.close();
            throw failed;
        }
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
