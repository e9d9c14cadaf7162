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
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
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
            assertThat(post(door, "/held?id=open", "respond-async").statusCode())
                    .isEqualTo(202);
            assertThat(post(door, "/ok", "wait=10").statusCode()).isEqualTo(429);

            configureSecond("10");

            await().until(() -> post(door, "/ok", "wait=10").statusCode() == 200);
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

    private HttpResponse<String> post(DoorProcess door, String path, String prefer) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + door.address().getPort() + "/v1/calls"))
                .header("Content-Type", "application/json")
                .header("Prefer", prefer)
                .POST(BodyPublishers.ofString("{\"url\": \"" + fixture.target.url(path) + "\"}"))
                .build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    }

    @AfterAll
    void stopNodes() {
        fixture.close();
    }
}
