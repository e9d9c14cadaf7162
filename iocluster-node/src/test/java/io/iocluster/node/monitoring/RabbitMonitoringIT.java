package io.iocluster.node.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.node.ColdNode;
import io.iocluster.node.RabbitNodeFixture;
import io.iocluster.node.RunningNode;
import io.iocluster.node.monitoring.Dashboard.PanelQuery;
import io.iocluster.testkit.junit.SharedBrokers;
import io.iocluster.testkit.rabbit.RabbitBroker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Runs the queries of the source dashboard and an alert on a real Prometheus that scrapes a node on RabbitMQ. Another node was closed
 * while it made calls.
 */
class RabbitMonitoringIT {

    private static final int CALLS = 100;

    private static RabbitBroker broker;
    private static RabbitNodeFixture fixture;
    private static PrometheusProcess prometheus;

    @BeforeAll
    static void startFixture() throws Exception {
        broker = SharedBrokers.emptyRabbit();
        fixture = new RabbitNodeFixture(broker);
        // The calls must still be open when the node is closed, after another node and Prometheus have started.
        RunningNode closed =
                fixture.startInProcess("closed", ColdNode.LONG_TIMEOUTS).awaitReady();
        fixture.send(0, CALLS, "/never?n=");
        fixture.awaitUnacknowledged(CALLS);
        RunningNode node = fixture.startInProcess("node").awaitReady();
        prometheus = PrometheusProcess.start(List.of(node.adminUrl().substring("http://".length())));
        // An increase of a counter is visible from its second scrape on.
        await().until(() -> !series("iocluster_redelivered_total").isEmpty());
        // The nodes see each other over the broker.
        await().until(() -> node.get("/api/cluster").body().contains("\"closed\""));
        closed.close();
        fixture.send(CALLS, 2 * CALLS, "/ok?n=");
        broker.publish(fixture.requests, List.of("no envelope".getBytes(StandardCharsets.UTF_8)));
    }

    @AfterAll
    static void close() {
        prometheus.close();
        fixture.close();
    }

    @Test
    void anAlertFiresWhenMessagesAreRedelivered() {
        String expression = new AlertRules().expression("IOClusterRedeliveries");

        await(expression)
                .atMost(Duration.ofMinutes(2))
                .until(() -> !series(expression).isEmpty());
    }

    @Test
    void everyQueryOfTheSourceDashboardReturnsData() {
        for (PanelQuery query : Dashboard.in("iocluster-source.json").queries()) {
            if (!query.expression().startsWith("ALERTS")) {
                await(query.where() + ": " + query.expression())
                        .atMost(Duration.ofMinutes(1))
                        .untilAsserted(
                                () -> assertThat(series(query.expression())).isNotEmpty());
            }
        }
    }

    private static List<JsonNode> series(String expression) {
        return prometheus
                .query(expression)
                .valueStream()
                .filter(each -> !each.get("value").get(1).asString().equals("NaN"))
                .toList();
    }
}
