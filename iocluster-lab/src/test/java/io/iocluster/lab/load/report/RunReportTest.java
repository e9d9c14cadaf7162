package io.iocluster.lab.load.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.lab.load.TestResults;
import io.iocluster.lab.load.html.Chart;
import io.iocluster.lab.load.result.ExpectationOutcome;
import io.iocluster.lab.load.result.ExpectationOutcome.State;
import io.iocluster.lab.load.result.FaultMark;
import io.iocluster.lab.load.result.RunResult;
import io.iocluster.lab.load.result.TimePoint;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunReportTest {

    private static final List<FaultMark> FAULTS = List.of(
            new FaultMark("slow", "target 127.0.0.1:9000: 500 ms more latency", 10, 20.0, null),
            new FaultMark("stuck", "pause-node 127.0.0.1:8080", 30, null, "was not undone: no node"));

    private static final List<ExpectationOutcome> OUTCOMES = List.of(
            new ExpectationOutcome("p99 < 300ms", State.MET, "12 ms", 12.0, 300),
            new ExpectationOutcome("error-share < 0.1%", State.FAILED, "0.5 %", 0.005, 0.001),
            new ExpectationOutcome("lag < 1s within 60s", State.UNKNOWN, "no samples", null, 1_000));

    @Test
    void theReportHasEachPart() {
        String html = RunReport.html(TestResults.of("get", 10, 1, FAULTS, OUTCOMES));

        assertThat(html)
                .contains(
                        "1 of 3 expectations is not met, and 1 is unknown. 1 fault was not started or not undone.",
                        "The hypothesis of get",
                        "✓ met",
                        "✗ not met",
                        "? unknown",
                        "lag &lt; 1s within 60s",
                        "was not undone: no node",
                        "<h2>Over time</h2>",
                        "<h3>Latency</h3>",
                        "<h3>Throughput</h3>",
                        "<h3>Errors</h3>",
                        "<h3>Lag</h3>",
                        "<h3>queries get</h3>",
                        "<h3>Percentiles of each phase</h3>",
                        "<h2>Outcomes by code</h2>",
                        "host-1",
                        "node node-1")
                .doesNotContain("<h3>CPU</h3>");
    }

    @Test
    void aPercentileThatTheNumberOfCallsDoesNotSupportIsADash() {
        String html = RunReport.html(TestResults.steady("get", 10, 1));

        // 6,000 calls: enough for p99, not for p99.9.
        assertThat(html)
                .containsPattern("<td>peak</td><td>get</td><td class=\"number\">6,000</td><td class=\"number\">0</td>"
                        + "(<td class=\"number\">\\d+\\.\\d ms</td>){3}(<td class=\"number\">–</td>){2}");
        assertThat(html).contains("p99.99 needs 100,000");
    }

    @Test
    void unansweredCallsAreShownBesideThePercentilesThatTheyRaise() {
        RunResult result = TestResults.unanswered(TestResults.steady("get", 10, 1), 200);

        assertThat(RunReport.html(result))
                .containsPattern(
                        "<td class=\"mark warn\">peak</td><td>get</td><td class=\"number\">6,000</td><td class=\"number\">200</td>"
                                + "(<td class=\"number\">\\d+\\.\\d ms</td>){2}<td class=\"number\">no answer</td>");
        assertThat(RunSummary.lines(result)).anyMatch(line -> line.matches("peak .* no answer .* no answer +200 .*"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"</script><script>alert(1)</script>", "<img src=x>", "\u001b[31m"})
    void hostileNamesAreText(String name) {
        RunResult result = TestResults.of(
                name,
                10,
                1,
                List.of(new FaultMark(name, name, 1, 2.0, name)),
                List.of(new ExpectationOutcome(name, State.FAILED, name, 1.0, 1)));

        assertThat(RunReport.html(result))
                .doesNotContain("<script>alert")
                .doesNotContain("<img")
                .doesNotContain("\u001b");
        assertThat(RunSummary.lines(result)).noneMatch(line -> line.contains("\u001b"));
    }

    @Test
    void anIncompleteRunSaysWhy() {
        RunResult partial = TestResults.changed(TestResults.steady("get", 10, 1), "interrupted", List.of());

        assertThat(RunReport.html(partial))
                .contains("The run is incomplete: interrupted. The experiment has no expectations.");
    }

    @Test
    void expectationsThatAreUnknownAreNotCalledNotMet() {
        ExpectationOutcome unknown = OUTCOMES.get(2);

        assertThat(verdict(unknown)).isEqualTo("The expectation is unknown.");
        assertThat(verdict(OUTCOMES.get(0), unknown, unknown)).isEqualTo("2 of 3 expectations are unknown.");
        assertThat(verdict(OUTCOMES.get(1))).isEqualTo("The expectation is not met.");
        assertThat(verdict(OUTCOMES.get(1), OUTCOMES.get(1))).isEqualTo("2 of 2 expectations are not met.");
    }

    private static String verdict(ExpectationOutcome... outcomes) {
        return RunReport.verdict(TestResults.of("get", 10, 1, List.of(), List.of(outcomes)));
    }

    @Test
    void aGeneratorThatSentItsCallsLateIsAWarningInBothReports() {
        // The schedule error of these results is that of the latencies.
        RunResult late = TestResults.steady("get", 100, 1);
        RunResult inTime = TestResults.steady("get", 5, 1);

        assertThat(RunReport.html(late))
                .containsPattern("The generator was too slow: it sent calls up to 1\\d\\d ms late");
        assertThat(RunSummary.lines(late)).anyMatch(line -> line.startsWith("The generator was too slow: "));
        assertThat(RunReport.html(inTime)).doesNotContain("too slow");
        assertThat(RunSummary.lines(inTime)).noneMatch(line -> line.contains("too slow"));
    }

    @Test
    void aPercentileWithoutValuesIsNotInTheLegend() {
        RunResult many = TestResults.steady("get", 10, 1);
        RunResult few = TestResults.withSeries(
                many, List.of(new TimePoint(0, "peak", 100, 100, 100, 0, 5, 9.0, 15.0, null, 30)));

        assertThat(new RunCharts(many).ofCalls().get(0).lines())
                .extracting(Chart.Line::label)
                .containsExactly("p50", "p90", "p99", "max");
        assertThat(new RunCharts(few).ofCalls().get(0).lines())
                .extracting(Chart.Line::label)
                .containsExactly("p50", "p90", "max");
    }

    @Test
    void theSummaryHasPhasesExpectationsAndTheVerdict() {
        List<String> lines = RunSummary.lines(TestResults.of("get", 10, 1, FAULTS, OUTCOMES));

        assertThat(Stream.of("peak", "p99 < 300ms", "fault stuck: was not undone: no node"))
                .allMatch(text -> lines.stream().anyMatch(line -> line.contains(text)));
        assertThat(lines.get(lines.size() - 1)).startsWith("1 of 3 expectations is not met, and 1 is unknown.");
    }
}
