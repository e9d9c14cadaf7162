package io.iocluster.node.cluster;

import io.iocluster.node.RabbitNodeFixture;
import io.iocluster.rabbit.client.RabbitRequestPublisher;
import io.iocluster.testkit.rabbit.RabbitBroker;
import io.iocluster.thread.Platform;
import io.iocluster.transport.PublishResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;

class RabbitClusterLimitMeasurement extends ClusterLimitMeasurement {

    private final RabbitBroker broker = RabbitBroker.launch();
    private final RabbitNodeFixture fixture = new RabbitNodeFixture(broker);

    @AfterEach
    void close() {
        fixture.close();
        broker.close();
    }

    @Override
    Path configure(String id) {
        return fixture.configure(id, CONFIGURATION);
    }

    /** Starts a node first, because nodes declare the queue. */
    @Override
    void publish(byte[] envelope, int times) throws Exception {
        start("declares").awaitReady().terminate(Duration.ofMinutes(1));
        List<CompletableFuture<PublishResult>> sent = new ArrayList<>();
        try (RabbitRequestPublisher publisher =
                new RabbitRequestPublisher(fixture.settings(), "sender", Platform.system())) {
            for (int i = 0; i < times; i++) {
                sent.add(publisher.send(envelope, null, Map.of()));
            }
            CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new)).get(1, TimeUnit.MINUTES);
        }
    }
}
