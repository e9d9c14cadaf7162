package io.iocluster.node.door;

import io.iocluster.node.NodeProcess;
import io.iocluster.node.RabbitNodeFixture;
import io.iocluster.testkit.junit.SharedBrokers;
import io.iocluster.testkit.rabbit.RabbitBroker;
import io.iocluster.testkit.target.TargetServer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;

class DoorRabbitIT extends DoorQueueContract {

    private RabbitBroker broker;
    private RabbitNodeFixture fixture;

    @Override
    Path configuration() {
        broker = SharedBrokers.emptyRabbit();
        fixture = new RabbitNodeFixture(broker);
        NodeProcess first = fixture.start("node-1");
        first.awaitReady();
        fixture.start("node-2").awaitReady();
        return fixture.configure("door-1", "door: {port: 0}");
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
