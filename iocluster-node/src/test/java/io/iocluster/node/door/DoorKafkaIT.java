package io.iocluster.node.door;

import io.iocluster.node.KafkaNodeFixture;
import io.iocluster.node.NodeProcess;
import io.iocluster.testkit.target.TargetServer;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;

class DoorKafkaIT extends DoorQueueContract {

    private KafkaNodeFixture fixture;

    @Override
    Path configuration() {
        fixture = new KafkaNodeFixture(2, Map.of());
        NodeProcess first = fixture.startNode("node-1", "none");
        fixture.startNode("node-2", "none").awaitReady();
        first.awaitReady();
        return fixture.configure("door-1", "none", "door: {port: 0}");
    }

    @Override
    TargetServer target() {
        return fixture.target;
    }

    @AfterAll
    void stopNodes() {
        fixture.close();
    }
}
