package io.iocluster.node.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.node.KafkaNodeFixture;
import io.iocluster.node.NodeProcess;
import io.iocluster.node.consul.FakeConsulAgent;
import io.iocluster.node.monitoring.Dashboard.PanelQuery;
import io.iocluster.node.monitoring.Promtool.PromtoolResult;
import io.iocluster.testkit.process.FreePorts;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * Runs the queries of the dashboard and the alerts on a real Prometheus that scrapes two nodes with many kinds of
 * problems. {@code promtool} tests the alerts that take longer than seconds.
 */
class MonitoringIT {

    private static final Pattern METRIC = Pattern.compile("(?<![:\\w])(?:iocluster|process|system|jvm)_\\w+(?![:\\w])");
    private static final Pattern LABEL_VALUES = Pattern.compile("label_values\\((.+), (\\w+)\\)");
    private static final Pattern LABEL = Pattern.compile("\\{\\{(\\w+)}}");

    private static final Dashboard DASHBOARD = new Dashboard();
    private static final AlertRules RULES = new AlertRules();

    private static final FakeConsulAgent AGENT = new FakeConsulAgent();
    private static final String KEY = "iocluster/node";

    private static KafkaNodeFixture fixture;
    private static TrafficGenerator traffic;
    private static NodeProcess node;
    private static PrometheusProcess prometheus;

    @BeforeAll
    static void startFixture() throws Exception {
        fixture = new KafkaNodeFixture(4, Map.of());
        traffic = new TrafficGenerator(fixture);
        AGENT.keys().put(KEY, "http: {timeout: 1h}");
        Path file = fixture.configure("node-1", "none", withConsul(", key: " + KEY));
        node = fixture.startNode("node-1", List.of(), file);
        NodeProcess second = fixture.startNode("node-2", "none", withConsul(""));
        String unreachable = "127.0.0.1:" + FreePorts.find(1)[0];
        prometheus = PrometheusProcess.start(List.of(
                address(node.awaitReady().adminUrl()),
                address(second.awaitReady().adminUrl()),
                unreachable));
        AGENT.stop();
        // An increase of a counter is visible from its second scrape on.
        await().until(() -> !withNumber("count(up == 1) == 2").isEmpty());
        traffic.start();
        Files.writeString(file, Files.readString(file).replace("max-in-flight: 20", "max-in-flight: 0"));
    }

    @AfterAll
    static void clear() {
        traffic.close();
        prometheus.close();
        fixture.close();
        AGENT.close();
    }

    private static String[] withConsul(String settings) {
        String consul = "config: {consul: {address: '" + AGENT.address() + "', base-delay: 100ms" + settings + "}}";
        return Stream.concat(Stream.of(TrafficGenerator.DESTINATIONS), Stream.of(consul))
                .toArray(String[]::new);
    }

    @Test
    void everyQueryOfTheDashboardReturnsData() {
        assertThat(DASHBOARD.queries()).hasSizeGreaterThan(50);
        for (PanelQuery query : DASHBOARD.queries()) {
            await(query.where() + ": " + query.expression())
                    .atMost(Duration.ofMinutes(2))
                    .untilAsserted(() -> {
                        List<JsonNode> series = withNumber(query.expression());
                        assertThat(series).isNotEmpty();
                        assertThat(labels(query.legend()))
                                .allMatch(label -> series.stream()
                                        .anyMatch(each -> each.get("metric").has(label)));
                    });
        }
    }

    @Test
    void everyVariableOfTheDashboardHasValues() {
        assertThat(DASHBOARD.variables())
                .extracting(variable -> variable.get("name").asString())
                .containsExactly("datasource", "job", "instance");
        for (JsonNode variable : DASHBOARD.variables().subList(1, 3)) {
            Matcher definition =
                    LABEL_VALUES.matcher(Dashboard.filled(variable.get("query").asString()));
            assertThat(definition.matches()).isTrue();
            await().until(
                            () -> prometheus.labelValues(definition.group(2), definition.group(1)),
                            values -> !values.isEmpty());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "IOClusterInFlightLimitReached",
                "IOClusterOldestMessageTooOld",
                "IOClusterDeadLetters",
                "IOClusterBreakerOpen",
                "IOClusterCallsFailing",
                "IOClusterDestinationErrors",
                "IOClusterDestinationSlow",
                "IOClusterCallsShed",
                "IOClusterTlsFailing",
                "IOClusterNodeDown",
                "IOClusterConfigurationRefused",
                "IOClusterConfigurationOutOfSync",
                "IOClusterConsulUnreachable",
                "IOClusterConsulNotRegistered"
            })
    void anAlertFiresInItsState(String alert) {
        awaitAlert(alert);
    }

    @Test
    void anAlertFiresWhenANodeIsPaused() throws Exception {
        post("/api/pause");

        try {
            awaitAlert("IOClusterPaused");
        } finally {
            post("/api/resume");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "IOClusterBrokerUnreachable",
                "IOClusterBrokerBlocked",
                "IOClusterUncommittedLimitReached",
                "IOClusterNoNode",
                "IOClusterNodeRestarts",
                "IOClusterWorkerReplaced"
            })
    void anAlertIsSilentInAnotherState(String alert) {
        await().until(() -> !withNumber("iocluster_source_connected == 1").isEmpty());

        assertThat(prometheus.query(RULES.expression(alert))).isEmpty();
    }

    @Test
    void theAutoscalerGetsOneValue() {
        String query = new YAMLMapper()
                .readTree(PrometheusProcess.FILES.resolve("../kubernetes/autoscaling/scaledobject.yaml"))
                .at("/spec/triggers/0/metadata/query")
                .asString();

        await().until(
                        () -> withNumber(query.replace("iocluster/iocluster", "iocluster")),
                        figures -> figures.size() == 1);
    }

    @Test
    void prometheusEvaluatesEveryRuleWithoutAnError() {
        await().untilAsserted(() -> assertThat(prometheus.rules())
                .hasSameSizeAs(RULES.expressions())
                .allSatisfy(rule -> assertThat(rule.get("health").asString())
                        .as(rule.toString())
                        .isEqualTo("ok")));
    }

    @Test
    void everyQueriedMetricIsExportedByTheNodes() {
        TreeSet<String> asked = Stream.concat(
                        DASHBOARD.queries().stream().map(PanelQuery::expression), RULES.expressions().stream())
                .flatMap(expression -> METRIC.matcher(expression).results())
                .map(MatchResult::group)
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(asked).hasSizeGreaterThan(30);
        await().untilAsserted(() -> assertThat(metrics()
                        .lines()
                        .filter(line -> !line.startsWith("#"))
                        .map(line -> line.split("[{ ]", 2)[0])
                        .collect(Collectors.toSet()))
                .containsAll(asked));
    }

    @Test
    void promtoolAcceptsTheMetrics() throws Exception {
        await().until(() -> metrics().contains("iocluster_retries_total"));

        assertThat(Promtool.checkMetrics(metrics())).isEqualTo(new PromtoolResult(0, ""));
    }

    @ParameterizedTest
    @CsvSource({
        "check config, prometheus.yaml",
        "check rules, iocluster.rules.yaml",
        "test rules, iocluster.test.yaml",
    })
    void promtoolAcceptsTheFiles(String command, String file) throws Exception {
        String[] words = command.split(" ");

        PromtoolResult result = Promtool.run(
                words[0], words[1], PrometheusProcess.FILES.resolve(file).toString());

        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("SUCCESS");
    }

    private static void awaitAlert(String alert) {
        String expression = RULES.expression(alert);
        await(expression)
                .atMost(Duration.ofMinutes(2))
                .until(() -> !withNumber(expression).isEmpty());
    }

    private static void post(String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(node.adminUrl() + path))
                .POST(BodyPublishers.noBody())
                .build();
        assertThat(HttpClient.newHttpClient()
                        .send(request, BodyHandlers.discarding())
                        .statusCode())
                .isEqualTo(200);
    }

    private static String address(String url) {
        return url.substring("http://".length());
    }

    private static String metrics() throws Exception {
        return node.get("/metrics").body();
    }

    private static List<JsonNode> withNumber(String expression) {
        return prometheus
                .query(expression)
                .valueStream()
                .filter(series -> !series.get("value").get(1).asString().equals("NaN"))
                .toList();
    }

    private static List<String> labels(String legend) {
        return LABEL.matcher(legend)
                .results()
                .map(found -> found.group(1))
                .filter(label -> !label.equals("le"))
                .toList();
    }
}
