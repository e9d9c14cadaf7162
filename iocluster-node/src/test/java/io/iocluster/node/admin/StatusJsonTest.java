package io.iocluster.node.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.TestStatuses;
import io.iocluster.node.build.BuildInfo;
import io.iocluster.transport.SourceStatus;
import io.iocluster.transport.SourceStatus.Lag;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class StatusJsonTest {

    @Test
    void writesTheStatusOfAPipeline() {
        ObjectNode status = StatusJson.of("node-1", Duration.ofMillis(61_500), TestStatuses.CONNECTED);

        assertThat(AdminResponse.JSON.readTree(status.toString()))
                .isEqualTo(AdminResponse.JSON.readTree("""
                {"node": "node-1", "version": "%s", "state": "running", "uptimeSeconds": 61, "transport": "kafka",
                 "inFlight": 7, "inFlightLimit": 300, "waiting": 5, "unconfirmed": 3, "waitingAnswers": 2, "inFlightBytes": 1024, "inFlightBytesLimit": 4096,
                 "workers": [{"name": "worker-1", "inFlight": 7, "activeConnections": 5, "idleConnections": 2}],
                 "replacedWorkers": 0,
                 "source": {"connected": true, "problem": null, "pauseReasons": [], "buffered": 0, "redelivered": 0, "unreadableCommitMetadata": 0,
                           "truncatedCommitMetadata": 0, "failedAcknowledgements": 0,
                            "lag": 12, "oldestAgeMillis": 2500,
                            "lags": [{"queue": "requests", "partition": 3, "messages": 12, "heldByOtherConsumers": 0,
                                      "oldestAgeMillis": 2500, "stale": false}]}}
                """.formatted(BuildInfo.VERSION)));
    }

    @Test
    void writesTheMessagesHeldByOtherConsumers() {
        Lag shared = new Lag("requests", null, 340, 260, 0, false);
        SourceStatus source = new SourceStatus(true, null, Set.of(), 0, List.of(shared), 0, 0);

        ObjectNode status = StatusJson.of("node-1", Duration.ZERO, TestStatuses.of("rabbit", source));

        assertThat(status.at("/source/lag").asLong()).isEqualTo(340);
        assertThat(status.at("/source/lags/0/heldByOtherConsumers").asLong()).isEqualTo(260);
    }

    @Test
    void writesWhyTheSourceIsNotConnected() {
        ObjectNode status = StatusJson.of("node-1", Duration.ZERO, TestStatuses.DISCONNECTED);

        assertThat(status.at("/source/connected").asBoolean()).isFalse();
        assertThat(status.at("/source/problem").asString()).isEqualTo("connection refused");
        assertThat(status.at("/source/pauseReasons/0").asString()).isEqualTo("backoff");
        assertThat(status.at("/source/lag").isNull()).isTrue();
        assertThat(status.at("/source/oldestAgeMillis").isNull()).isTrue();
    }
}
