package io.iocluster.node.door;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.node.ColdNode;
import io.iocluster.node.KafkaNodeFixture;
import io.iocluster.node.RunningNode;
import io.iocluster.node.door.spool.DoorChild;
import io.iocluster.node.door.spool.DoorOutage;
import io.iocluster.testkit.process.TempDirectory;
import io.iocluster.testkit.target.TargetServer;
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
                outage.run(fixture.target.url("/ok"), 1_000, 2_000, 1_000);
            }
        }
    }

    @Test
    void theAnswerToAStoredCallReachesTheRestartedDoor() throws Exception {
        try (TempDirectory folder = new TempDirectory("door-restart")) {
            Path config = fixture.configure(
                    "door-3", "none", "door: {port: 0, spool: {folder: " + folder.resolve("spool") + "}}");
            fixture.broker.kill();
            try (DoorChild door = DoorChild.start(config, folder.resolve("door-1.log"))) {
                String envelope = "{\"id\": \"order-1\", \"url\": \"" + fixture.target.url("/ok") + "\"}";
                assertThat(door.post(envelope, "respond-async").statusCode()).isEqualTo(202);
                door.kill();
            }
            try (DoorChild door = DoorChild.start(config, folder.resolve("door-2.log"))) {
                fixture.broker.start();

                HttpResponse<String> answer = await().atMost(LONG)
                        .until(() -> door.get("/v1/calls/order-1", "wait=60"), each -> each.statusCode() != 202);

                assertThat(answer.statusCode()).as(answer.body() + door.log()).isEqualTo(200);
                assertThat(DoorFixture.json(answer).path("id").asString("")).isEqualTo("order-1");
                assertThat(DoorFixture.json(answer).path("status").asInt()).isEqualTo(200);
            }
        }
    }

    @AfterAll
    void stopNodes() {
        fixture.close();
    }
}
