package io.iocluster.node.door;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.node.ColdNode;
import io.iocluster.node.RabbitNodeFixture;
import io.iocluster.node.RunningNode;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.SettingsLoader;
import io.iocluster.testkit.junit.SharedBrokers;
import io.iocluster.testkit.rabbit.RabbitBroker;
import io.iocluster.testkit.target.TargetServer;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class DoorRabbitIT extends DoorQueueContract {

    private RabbitBroker broker;
    private RabbitNodeFixture fixture;

    @Override
    Path configuration() {
        broker = SharedBrokers.emptyRabbit();
        fixture = new RabbitNodeFixture(broker);
        RunningNode first = fixture.startInProcess("node-1", ColdNode.LONG_TIMEOUTS);
        first.awaitReady();
        fixture.startInProcess("node-2", ColdNode.LONG_TIMEOUTS).awaitReady();
        return fixture.configure("door-1", DOOR);
    }

    @Override
    TargetServer target() {
        return fixture.target;
    }

    @Test
    void aRaisedLimitOfOpenCallsAppliesWithoutARestart() throws Exception {
        Path file = configureSecond("1");
        SettingsLoader<NodeSettings> loader = new SettingsLoader<>(NodeSettings.class, Map.of());
        try (DoorProcess door = DoorProcess.start(loader.load(file))) {
            door.watchConfiguration(file, loader);
            assertThat(post(door, call("/held?id=open"), "respond-async").statusCode())
                    .isEqualTo(202);
            assertThat(post(door, call("/ok"), "wait=10").statusCode()).isEqualTo(429);

            configureSecond("10");

            await().until(() -> post(door, call("/ok"), "wait=10").statusCode() == 200);
        } finally {
            fixture.target.releaseHeld();
        }
    }

    private Path configureSecond(String maxInFlight) {
        return fixture.configure(
                "door-2",
                "door: {port: 0, limits: {max-in-flight: " + maxInFlight + "}}",
                "config: {poll-interval: 50ms}");
    }

    private String call(String path) {
        return "{\"url\": \"" + fixture.target.url(path) + "\"}";
    }

    @AfterAll
    void stopNodes() {
        fixture.close();
    }
}
