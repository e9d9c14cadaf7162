package io.iocluster.node.chaos.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.node.AdminFixture;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AdminCountersTest {

    @Test
    void readsEveryCounterFromTheAdminApi() {
        try (AdminFixture scene = new AdminFixture("workers: {threads: 1}")) {
            scene.broker.send("{\"id\": \"1\", \"url\": \"" + scene.target.url("/held") + "\"}");
            await().until(() -> scene.target.requestLog().open() == 1);
            String destination = "destination.127.0.0.1:" + scene.target.port();

            Map<String, Long> counters = counters(scene);

            assertThat(counters)
                    .containsEntry("inFlight", 1L)
                    .containsEntry("worker.worker-1.inFlight", 1L)
                    .containsEntry("worker.worker-1.activeConnections", 1L)
                    .containsEntry(destination + ".inFlight", 1L)
                    .containsEntry(destination + ".waiting", 0L)
                    .containsKeys("waiting", "unconfirmed", "inFlightBytes", "source.buffered", "source.lag");

            scene.target.releaseHeld();
            await().untilAsserted(() -> assertThat(counters(scene))
                    .allSatisfy((name, value) -> assertThat(value).isZero()));
        }
    }

    private static Map<String, Long> counters(AdminFixture scene) {
        return AdminCounters.of(
                scene.get("/api/status").body(), scene.get("/api/destinations").body());
    }
}
