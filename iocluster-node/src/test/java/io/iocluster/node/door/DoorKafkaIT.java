package io.iocluster.node.door;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.ColdNode;
import io.iocluster.node.KafkaNodeFixture;
import io.iocluster.node.RunningNode;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.SettingsLoader;
import io.iocluster.node.door.spool.DoorOutage;
import io.iocluster.testkit.process.FreePorts;
import io.iocluster.testkit.process.TempDirectory;
import io.iocluster.testkit.target.TargetServer;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class DoorKafkaIT extends DoorQueueContract {

    private KafkaNodeFixture fixture;

    @Override
    Path configuration() {
        fixture = new KafkaNodeFixture(2, Map.of());
        RunningNode first = fixture.startInProcess("node-1", "none", ColdNode.LONG_TIMEOUTS);
        fixture.startInProcess("node-2", "none", ColdNode.LONG_TIMEOUTS).awaitReady();
        first.awaitReady();
        return fixture.configure("door-1", "none", DOOR);
    }

    @Override
    TargetServer target() {
        return fixture.target;
    }

    @Test
    void noAcceptedCallIsLostIfBrokerAndDoorAreKilled() throws Exception {
        try (TempDirectory folder = new TempDirectory("door-outage")) {
            Path config = fixture.configure(
                    "door-2", "none", "door: {port: 0, spool: {folder: " + folder.resolve("spool") + "}}");
            try (DoorOutage outage = new DoorOutage(fixture.broker, KafkaNodeFixture.REQUESTS, config, folder.path())) {
                outage.run(fixture.target.url("/ok"), 50, 50, 100, 50);
            }
        }
    }

    @Test
    void theAnswerToAStoredCallReachesTheRestartedDoor() throws Exception {
        try (TempDirectory folder = new TempDirectory("door-restart")) {
            Path config = fixture.configure(
                    "door-3", "none", "door: {port: 0, spool: {folder: " + folder.resolve("spool") + "}}");
            Map<String, String> unreachable =
                    Map.of("IOCLUSTER_KAFKA_BOOTSTRAP_SERVERS", "127.0.0.1:" + FreePorts.find(1)[0]);
            try (DoorProcess door = start(config, unreachable)) {
                String envelope = "{\"id\": \"order-1\", \"url\": \"" + fixture.target.url("/ok") + "\"}";
                assertThat(post(door, envelope, "respond-async").statusCode()).isEqualTo(202);
            }
            try (DoorProcess door = start(config, Map.of())) {
                HttpResponse<String> answer = awaitAnswer(door, "order-1");

                assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
                assertThat(DoorFixture.json(answer).path("id").asString("")).isEqualTo("order-1");
                assertThat(DoorFixture.json(answer).path("status").asInt()).isEqualTo(200);
            }
        }
    }

    private static DoorProcess start(Path config, Map<String, String> environment) throws IOException {
        return DoorProcess.start(new SettingsLoader<>(NodeSettings.class, environment).load(config));
    }

    @AfterAll
    void stopNodes() {
        fixture.close();
    }
}
