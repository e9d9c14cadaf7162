package io.iocluster.node.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.node.KafkaNodeFixture;
import io.iocluster.node.RunningNode;
import io.iocluster.node.consul.FakeConsulAgent;
import io.iocluster.node.monitoring.Dashboard.PanelQuery;
import io.iocluster.node.monitoring.Promtool.PromtoolResult;
import io.iocluster.testkit.process.FreePorts;
import io.iocluster.testkit.process.RenderedChart;
import io.iocluster.testkit.redis.RedisServer;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
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
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * Runs the queries of the dashboards and the alerts on a real Prometheus that scrapes two nodes with many kinds of
 * problems. {@link PrometheusFilesIT} tests the alerts that take longer than seconds.
 */
class MonitoringIT {

    private static final Pattern METRIC = Pattern.compile("(?<![:\\w])(?:iocluster|process|system|jvm)_\\w+(?![:\\w])");
    private static final Pattern LABEL_VALUES = Pattern.compile("label_values\\((.+), (\\w+)\\)");
    private static final Pattern LABEL = Pattern.compile("\\{\\{(\\w+)}}");

    private static final List<Dashboard> DASHBOARDS =
            Dashboard.all().stream().filter(each -> !each.isOfDoors()).toList();
    private static final AlertRules RULES = new AlertRules();

    private static final FakeConsulAgent AGENT = new FakeConsulAgent();
    private static final RedisServer REDIS = RedisServer.start();
    private static final String KEY = "iocluster/node";

    private static final String CLUSTER_WITHOUT_NODE = "second/iocluster";

    @TempDir
    static Path certificates;

    private static KafkaNodeFixture fixture;
    private static TrafficGenerator traffic;
    private static RunningNode node;
    private static PrometheusProcess prometheus;

    @BeforeAll
    static void startFixture() throws Exception {
        fixture = new KafkaNodeFixture(4, Map.of());
        CertificateBuilder builder = new CertificateBuilder()
                .ecp256()
                .subject("CN=node")
                .notAfter(Instant.now().plus(Duration.ofDays(5)));
        X509Bundle expiring = builder.setIsCertificateAuthority(true).buildSelfSigned();
        Files.writeString(certificates.resolve("node.pem"), expiring.getCertificatePathPEM());
        Files.writeString(certificates.resolve("node.key"), expiring.getPrivateKeyPEM());
        traffic = new TrafficGenerator(fixture);
        // Another configuration than that of the second node.
        AGENT.keys().put(KEY, "http: {timeout: 59m}");
        Path file = fixture.configure("node-1", "none", withConsul(", key: " + KEY));
        node = fixture.startInProcess(file);
        RunningNode second = fixture.startInProcess("node-2", "none", withConsul(""));
        String unreachable = "127.0.0.1:" + FreePorts.find(1)[0];
        prometheus = PrometheusProcess.start(
                List.of(
                        address(node.awaitReady().adminUrl()),
                        address(second.awaitReady().adminUrl()),
                        unreachable),
                Map.of(CLUSTER_WITHOUT_NODE, unreachable));
        AGENT.stop();
        // A pause of the collector is exported from the first one on.
        System.gc();
        // An increase of a counter is visible from its second scrape on.
        await().until(() -> !prometheus.numbers("count(up == 1) == 2").isEmpty());
        traffic.start();
        post("/api/destinations/limit", "{\"destination\": \"partner\", \"max-in-flight\": 1000, \"for\": \"1h\"}");
        Files.writeString(file, Files.readString(file).replace("max-in-flight: 20", "max-in-flight: 0"));
    }

    @AfterAll
    static void clear() {
        traffic.close();
        prometheus.close();
        fixture.close();
        AGENT.close();
        REDIS.close();
    }

    private static String[] withConsul(String settings) {
        String consul = "config: {consul: {address: '" + AGENT.address() + "', base-delay: 100ms" + settings + "}}";
        String tls = "destination-defaults: {tls: {certificate: '" + certificates.resolve("node.pem") + "', key: '"
                + certificates.resolve("node.key") + "'}}";
        // On a busy machine, more than a tenth of the lookups take longer than the default of 20 ms.
        String shared = "shared-cache: {timeout: 1s, redis: {url: '" + REDIS.url() + "'}}";
        return Stream.concat(Stream.of(TrafficGenerator.DESTINATIONS), Stream.of(consul, tls, shared))
                .toArray(String[]::new);
    }

    static List<String> dashboards() {
        return DASHBOARDS.stream().map(Dashboard::file).toList();
    }

    @ParameterizedTest
    @MethodSource("dashboards")
    void everyQueryOfADashboardReturnsData(String file) {
        List<PanelQuery> queries = Dashboard.in(file).queries();
        assertThat(queries).hasSizeGreaterThan(20);
        for (PanelQuery query : queries) {
            await(query.where() + ": " + query.expression())
                    .atMost(Duration.ofMinutes(2))
                    .untilAsserted(() -> {
                        List<JsonNode> series = prometheus.numbers(query.expression());
                        assertThat(series).isNotEmpty();
                        assertThat(labels(query.legend()))
                                .allMatch(label -> series.stream()
                                        .anyMatch(each -> each.get("metric").has(label)));
                    });
        }
    }

    @ParameterizedTest
    @MethodSource("dashboards")
    void everyVariableOfADashboardHasValues(String file) {
        List<JsonNode> variables = Dashboard.in(file).variables();
        assertThat(variables)
                .extracting(variable -> variable.get("name").asString())
                .startsWith("datasource", "job", "instance");
        for (JsonNode variable : variables.subList(1, variables.size())) {
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
                "IOClusterSevereProblem",
                "IOClusterProblem",
                "IOClusterConfigurationsDiffer",
                "IOClusterOldestMessageTooOld",
                "IOClusterDeadLetters",
                "IOClusterBreakerOpen",
                "IOClusterCallsFailing",
                "IOClusterCallsExpired",
                "IOClusterCallsRejected",
                "IOClusterCredentialRefused",
                "IOClusterDestinationErrors",
                "IOClusterDestinationSlow",
                "IOClusterUpstreamOut",
                "IOClusterCallsShed",
                "IOClusterAppOverQuota",
                "IOClusterTlsFailing",
                "IOClusterCertificateExpires",
                "IOClusterNodeDown",
                "IOClusterConfigurationRefused",
                "IOClusterConfigurationOutOfSync",
                "IOClusterConsulUnreachable",
                "IOClusterConsulNotRegistered"
            })
    void anAlertFiresInItsState(String alert) {
        awaitAlert(alert);
    }

    /** Which of the two fires depends on what else the machine does. {@link AlertRulesTest} has a case for each. */
    @Test
    void anAlertFiresWhileTheLagGrows() {
        awaitData("(" + RULES.expression("IOClusterInFlightLimitReached") + ") or ("
                + RULES.expression("IOClusterCpuSaturated") + ")");
    }

    @Test
    void theClusterWithoutANodeIsNamedAlthoughAnotherClusterReads() {
        awaitAlert("IOClusterNoNode");

        assertThat(prometheus.query(RULES.expression("IOClusterNoNode")))
                .extracting(series -> series.at("/metric/job").asString(""))
                .containsExactly(CLUSTER_WITHOUT_NODE);
    }

    @Test
    void anAlertFiresWhenANodeIsPaused() throws Exception {
        post("/api/pause", "");

        try {
            awaitAlert("IOClusterPaused");
        } finally {
            post("/api/resume", "");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "IOClusterBrokerUnreachable",
                "IOClusterBrokerBlocked",
                "IOClusterUncommittedLimitReached",
                "IOClusterHedgesOverBudget",
                "IOClusterSharedCacheFailing",
                "IOClusterRedeliveries",
                "IOClusterNodeRestarts",
                "IOClusterWorkerReplaced"
            })
    void anAlertIsSilentInAnotherState(String alert) {
        await().until(() ->
                !prometheus.numbers("iocluster_source_connected == 1").isEmpty());

        assertThat(prometheus.query(RULES.expression(alert))).isEmpty();
    }

    @Test
    void theAutoscalerGetsOneValue() {
        String query = new YAMLMapper()
                .readTree(RenderedChart.folder("kafka-sasl-tls").resolve("ScaledObject-calls-iocluster.yaml"))
                .at("/spec/triggers/0/metadata/query")
                .asString();

        await().until(
                        () -> prometheus.numbers(query.replace("payments/calls-iocluster/iocluster", "iocluster")),
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
                        DASHBOARDS.stream()
                                .flatMap(dashboard -> dashboard.queries().stream())
                                .map(PanelQuery::expression),
                        RULES.expressions().stream())
                .flatMap(expression -> METRIC.matcher(expression).results())
                .map(MatchResult::group)
                .filter(metric -> !metric.startsWith("iocluster_door_"))
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

    private static void awaitAlert(String alert) {
        awaitData(RULES.expression(alert));
    }

    private static void awaitData(String expression) {
        await(expression)
                .atMost(Duration.ofMinutes(2))
                .until(() -> !prometheus.numbers(expression).isEmpty());
    }

    private static void post(String path, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(node.adminUrl() + path))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body))
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

    private static List<String> labels(String legend) {
        return LABEL.matcher(legend)
                .results()
                .map(found -> found.group(1))
                .filter(label -> !label.equals("le"))
                .toList();
    }
}
