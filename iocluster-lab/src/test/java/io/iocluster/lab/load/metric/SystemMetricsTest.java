package io.iocluster.lab.load.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iocluster.lab.load.FakeServer;
import io.iocluster.lab.load.TestExperiments;
import io.iocluster.lab.load.metric.MetricReader.Reading;
import io.iocluster.lab.load.result.MetricSeries;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SystemMetricsTest {

    @TempDir
    private Path folder;

    private final List<String> problems = new ArrayList<>();
    private FakeServer one;
    private FakeServer two;
    private FakeServer prometheus;

    @BeforeEach
    void start() throws IOException {
        one = node("node-1", 100, 2_000, 7);
        two = node("node-2", 50, 500, 3);
        prometheus = new FakeServer()
                .respond(
                        "/api/v1/query",
                        200,
                        "{\"status\": \"success\", \"data\": {\"resultType\": \"scalar\", \"result\": [1, \"42\"]}}");
    }

    private static FakeServer node(String name, int lag, int ageMillis, int inFlight) throws IOException {
        return new FakeServer()
                .respond("/api/status", 200, """
                        {"node": "%s", "version": "1.2", "inFlight": %d, "inFlightLimit": 100, "waiting": 1,
                         "source": {"lag": %d, "oldestAgeMillis": %d}}""".formatted(name, inFlight, lag, ageMillis))
                .respond("/api/stats", 200, "{\"uptimeMillis\": 1000, \"cpuMillis\": 500}");
    }

    @AfterEach
    void stop() {
        one.close();
        two.close();
        prometheus.close();
    }

    @Test
    void theLagInSecondsIsThatOfTheSlowestNodeAndTheOtherFiguresAreSums() throws Exception {
        try (SystemMetrics metrics = metrics("")) {
            assertThat(values(metrics))
                    .containsEntry(MetricSeries.LAG_SECONDS, 2.0)
                    .containsEntry(MetricSeries.LAG_MESSAGES, 150.0)
                    .containsEntry(MetricSeries.IN_FLIGHT, 10.0)
                    .containsEntry("in flight limit", 200.0)
                    .containsEntry("waiting", 2.0)
                    .containsEntry("in flight of " + URI.create(one.url()).getAuthority(), 7.0)
                    .doesNotContainKey(MetricSeries.CPU_CORES);
            assertThat(metrics.nodeVersions()).isEqualTo(Map.of("node-1", "1.2", "node-2", "1.2"));
        }
    }

    @Test
    void allNodesSeeTheSameQueueOfRabbitMq() throws Exception {
        try (SystemMetrics metrics = metrics("kind: rabbit, ")) {
            assertThat(values(metrics)).containsEntry(MetricSeries.LAG_MESSAGES, 100.0);
        }
    }

    @Test
    void theCpuIsThatBetweenTwoReadingsAndARestartGivesNone() throws Exception {
        try (SystemMetrics metrics = metrics("")) {
            metrics.read();
            one.respond("/api/stats", 200, "{\"uptimeMillis\": 2000, \"cpuMillis\": 1250}");
            two.respond("/api/stats", 200, "{\"uptimeMillis\": 100, \"cpuMillis\": 100}");

            assertThat(values(metrics)).containsEntry(MetricSeries.CPU_CORES, 0.75);
        }
    }

    @Test
    void anUnreachableSourceIsReportedOnceAndHidesNoOther() throws Exception {
        try (SystemMetrics metrics = metrics("")) {
            prometheus.respond("/api/v1/query", 503, "{\"status\": \"error\", \"error\": \"shutting down\"}");
            two.respond("/api/status", 503, "{\"error\": \"stopping\"}");
            assertThat(values(metrics))
                    .containsEntry(MetricSeries.IN_FLIGHT, 7.0)
                    .doesNotContainKey("rate");
            metrics.read();
            assertThat(problems)
                    .hasSize(2)
                    .anyMatch(problem -> problem.contains("stopping"))
                    .anyMatch(problem -> problem.contains("shutting down"));

            two.respond("/api/status", 200, "{\"inFlight\": 1}");
            metrics.read();

            assertThat(problems).hasSize(3).last().asString().endsWith("can be read again");
        }
    }

    @Test
    void noSourceAtAllIsAnError() throws Exception {
        one.close();
        two.close();
        prometheus.close();
        try (SystemMetrics metrics = metrics("")) {
            assertThatThrownBy(metrics::read)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("no source of metrics can be read");
            assertThat(problems)
                    .anyMatch(problem -> problem.contains("check the URL, and whether the node runs"))
                    .noneMatch(problem -> problem.contains("--admin"));
        }
    }

    @Test
    void promqlOfMetricsAndOfExpectationsIsRead() throws Exception {
        try (SystemMetrics metrics = metrics("")) {
            List<Reading> readings = metrics.read();

            assertThat(readings).contains(new Reading("rate", "1/s", 42), new Reading("sum(up)", "", 42));
        }
    }

    private SystemMetrics metrics(String system) throws IOException {
        String nodes = "nodes: ['" + one.url() + "', '" + two.url() + "'], prometheus: '" + prometheus.url() + "'";
        return new SystemMetrics(
                TestExperiments.load(folder, system + nodes, """
                                metrics: [{name: rate, promql: "sum(rate(x[1m]))", unit: 1/s}]
                                expectations: ["promql(sum(up)) >= 2"]
                                """).experiment(), Map.of(), problems::add);
    }

    private static Map<String, Double> values(SystemMetrics metrics) throws IOException, InterruptedException {
        Map<String, Double> values = new TreeMap<>();
        metrics.read().forEach(reading -> values.put(reading.name(), reading.value()));
        return values;
    }
}
