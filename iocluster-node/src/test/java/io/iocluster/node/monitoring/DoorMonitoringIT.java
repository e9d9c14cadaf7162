package io.iocluster.node.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.node.door.DoorFixture;
import io.iocluster.node.monitoring.Dashboard.PanelQuery;
import io.iocluster.node.monitoring.Promtool.PromtoolResult;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Runs the queries of the dashboard of doors and their alerts on a real Prometheus that scrapes a busy door. */
class DoorMonitoringIT {

    private static final AlertRules RULES = new AlertRules();

    private static DoorFixture door;
    private static PrometheusProcess prometheus;
    private static ScheduledExecutorService callers;

    @BeforeAll
    static void start() throws Exception {
        door = new DoorFixture("apps: [{name: shop, rate: 1/h}]");
        String address = "127.0.0.1:" + door.uri("").getPort();
        prometheus = PrometheusProcess.start(List.of(address));
        callers = Executors.newSingleThreadScheduledExecutor();
        callers.scheduleWithFixedDelay(DoorMonitoringIT::call, 0, 200, TimeUnit.MILLISECONDS);
    }

    /** Makes two calls. The second one is refused, except the first time. */
    private static void call() {
        door.post(door.envelope("/ok"), "IOCluster-App", "billing");
        door.post(door.envelope("/ok"), "IOCluster-App", "shop");
    }

    @AfterAll
    static void stop() throws Exception {
        callers.shutdownNow();
        callers.awaitTermination(1, TimeUnit.MINUTES);
        prometheus.close();
        door.close();
    }

    @Test
    void everyQueryOfTheDashboardReturnsData() {
        // No alert fires in a minute, so its marks have no data.
        List<PanelQuery> queries = Dashboard.in("iocluster-door.json").queries().stream()
                .filter(query -> !query.where().endsWith(": Alerts"))
                .toList();
        assertThat(queries).hasSizeGreaterThan(20);
        for (PanelQuery query : queries) {
            await(query.where() + ": " + query.expression())
                    .atMost(Duration.ofMinutes(1))
                    .until(() -> !prometheus.numbers(query.expression()).isEmpty());
        }
    }

    @Test
    void theVariablesOfTheDashboardFindTheDoor() {
        List<JsonNode> variables = Dashboard.in("iocluster-door.json").variables();

        assertThat(variables)
                .extracting(variable -> variable.get("name").asString())
                .containsExactly("datasource", "job", "instance");
        assertThat(variables.subList(1, 3))
                .extracting(variable -> variable.get("query").asString())
                .allMatch(query -> query.startsWith("label_values(iocluster_door_ready"));
    }

    @Test
    void anAlertFiresWhenAnAppIsOverItsQuota() {
        await().atMost(Duration.ofMinutes(1))
                .untilAsserted(() -> assertThat(prometheus.query(RULES.expression("IOClusterDoorRefuses")))
                        .extracting(series -> series.at("/metric/code").asString(""))
                        .containsExactly("app-over-quota"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"IOClusterDoorNotReady", "IOClusterDoorCallsFail", "IOClusterDoorKeptAnswersNearLimit"})
    void anAlertIsSilentInAnotherState(String alert) {
        await().until(() ->
                !prometheus.numbers("iocluster_door_kept_bytes_limit").isEmpty());

        assertThat(prometheus.query(RULES.expression(alert))).isEmpty();
    }

    @Test
    void promtoolAcceptsTheMetrics() throws Exception {
        await().until(() -> metrics().contains("iocluster_door_app_problems_total"));

        assertThat(Promtool.checkMetrics(metrics())).isEqualTo(new PromtoolResult(0, ""));
    }

    private static String metrics() {
        return door.get("/metrics").body();
    }
}
