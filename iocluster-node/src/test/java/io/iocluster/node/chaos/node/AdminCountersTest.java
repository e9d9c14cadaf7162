package io.iocluster.node.chaos.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.node.AdminFixture;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AdminCountersTest {

    @Test
    void readsEveryCounterFromTheAdminApi() {
        try (AdminFixture fixture = new AdminFixture("workers: {threads: 1}")) {
            fixture.broker.send("{\"id\": \"1\", \"url\": \"" + fixture.target.url("/held") + "\"}");
            await().until(() -> fixture.target.requestLog().open() == 1);
            String destination = "destination.127.0.0.1:" + fixture.target.port();

            Map<String, Long> counters = counters(fixture);

            assertThat(counters)
                    .containsEntry("inFlight", 1L)
                    .containsEntry("worker.worker-1.inFlight", 1L)
                    .containsEntry("worker.worker-1.activeConnections", 1L)
                    .containsEntry(destination + ".inFlight", 1L)
                    .containsEntry(destination + ".waiting", 0L)
                    .containsKeys("waiting", "unconfirmed", "inFlightBytes", "source.buffered", "source.lag");

            fixture.target.releaseHeld();
            await().untilAsserted(() -> assertThat(counters(fixture))
                    .allSatisfy((name, value) -> assertThat(value).isZero()));
        }
    }

    private static Map<String, Long> counters(AdminFixture fixture) {
        return AdminCounters.of(
                fixture.get("/api/status").body(),
                fixture.get("/api/destinations").body());
    }
}
