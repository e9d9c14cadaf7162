package io.iocluster.lab.load.local;

import io.iocluster.testkit.rabbit.RabbitOptions;
import io.iocluster.testkit.rabbit.RabbitProcess;
import java.io.IOException;

/** A RabbitMQ broker in a separate process. The nodes declare its queues. Confined to one thread. */
final class RabbitMember implements BrokerMember {

    private final RabbitProcess broker;

    /** Starts the broker, with the management API for the lag. */
    RabbitMember(int port) throws IOException {
        try {
            broker = RabbitProcess.launch(port, RabbitOptions.DEFAULT.withPlugin(RabbitOptions.MANAGEMENT));
        } catch (IllegalStateException failed) {
            throw new IOException(failed.getMessage(), failed);
        }
    }

    @Override
    public String nodeSettings() {
        return """
                transport: rabbit
                rabbit:
                  uris: ["%s"]
                  management: {uris: ["%s"]}
                  declare: {enabled: true}
                  answers: {reply-to: ["iocluster.replies.*"]}
                """.formatted(broker.uri(), broker.managementUri());
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
    public void close() {
        broker.close();
    }
}
