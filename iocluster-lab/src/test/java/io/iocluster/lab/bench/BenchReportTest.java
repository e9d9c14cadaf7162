package io.iocluster.lab.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.iocluster.lab.load.result.LatencyRecorder;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class BenchReportTest {

    @TempDir
    private Path folder;

    @Test
    void computesTheMedianOfTheRatios() {
        List<Measurement> all = List.of(
                measured(Subject.NODE, 1, 90, 10),
                measured(Subject.NAIVE, 1, 100, 10),
                measured(Subject.NODE, 2, 300, 10),
                measured(Subject.NAIVE, 2, 100, 5),
                measured(Subject.NODE, 3, 110, 10),
                measured(Subject.NAIVE, 3, 100, 20));

        assertThat(BenchReport.ratios(all).get("calls/s")).isEqualTo(1.1, within(1e-9));
        assertThat(BenchReport.ratios(all).get("CPU")).isEqualTo(1.0, within(1e-9));
        assertThat(BenchReport.ratios(all.subList(0, 1))).isEmpty();
    }

    @Test
    void writesTheMeasurementsAsJson() {
        BenchReport report = new BenchReport("Kafka");
        report.add("drain", measured(Subject.NODE, 1, 200, 10));
        report.add("drain", measured(Subject.NAIVE, 1, 100, 20));
        StringWriter printed = new StringWriter();
        Path file = folder.resolve("deep").resolve("bench.json");

        report.print("drain", new PrintWriter(printed));
        report.writeJson(file);

        assertThat(printed.toString()).contains("node ÷ naive, calls/s: 2.000", "node ÷ naive, CPU: 0.500");
        JsonNode written = new JsonMapper().readTree(file.toFile());
        JsonNode drain = written.get("scenarios").get("drain");
        assertThat(written.get("broker").asString()).isEqualTo("Kafka");
        assertThat(drain.get("measurements")).hasSize(2);
        assertThat(drain.get("medianRatios").get("CPU").asDouble()).isEqualTo(0.5);
    }

    @Test
    void theResultsHaveTheDistributionsOfAllRounds() throws IOException {
        BenchReport report = new BenchReport("Kafka");
        LatencyRecorder fast = new LatencyRecorder();
        LatencyRecorder slow = new LatencyRecorder();
        for (int i = 0; i < 1_000; i++) {
            fast.record(TimeUnit.MILLISECONDS.toNanos(5));
            slow.record(TimeUnit.MILLISECONDS.toNanos(9));
        }
        report.add("latency", measured(Subject.NODE, 1, 200, 10));
        report.add("latency", measured(Subject.NODE, 2, 200, 10));
        report.add("latency", measured(Subject.NAIVE, 1, 100, 20));
        List<Measurement> all = report.measurementsOf("latency");
        all.get(0).latencies().put("calls", fast.histogram());
        all.get(1).latencies().put("calls", slow.histogram());
        all.get(2).latencies().put("calls", slow.histogram());
        Path json = folder.resolve("bench.json");
        Path html = folder.resolve("deep").resolve("bench.html");

        report.writeJson(json);
        report.writeHtml(html);

        assertThat(new JsonMapper()
                        .readTree(json.toFile())
                        .at("/scenarios/latency/measurements/0/latencies/calls/percentiles/p50")
                        .asDouble())
                .isBetween(4.99, 5.01);
        assertThat(html)
                .content()
                .contains(
                        "<h2>latency</h2>",
                        "node ÷ naive, calls/s: 2.000",
                        "<h3>Percentiles of latency</h3>",
                        "node: calls",
                        "naive: calls")
                // The second of the node's two rounds is slower, so its 99th percentile is that of both.
                .containsPattern(
                        "<td>node: calls</td><td class=\"number\">2,000</td><td class=\"number\">5\\.\\d+ ms</td>"
                                + "(<td class=\"number\">9\\.\\d+ ms</td>){2}");
    }

    @Test
    void printsTheOutcomes() {
        BenchReport report = new BenchReport("Kafka");
        Measurement one = measured(Subject.NODE, 1, 10, 1);
        one.outcomes().put("slow", new TreeMap<>(Map.of("200", 3L, "timeout", 2L)));
        report.add("fairness", one);
        StringWriter printed = new StringWriter();

        report.print("fairness", new PrintWriter(printed));

        assertThat(printed.toString()).contains("slow: 200 3, timeout 2");
    }

    private static Measurement measured(Subject subject, int round, double callsPerSecond, double cpu) {
        return new Measurement(subject, round, 1_000, callsPerSecond, cpu, 1 << 20, 0);
    }
}
