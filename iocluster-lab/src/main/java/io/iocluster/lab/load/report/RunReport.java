package io.iocluster.lab.load.report;

import io.iocluster.lab.load.html.HtmlPage;
import io.iocluster.lab.load.html.HtmlTable;
import io.iocluster.lab.load.html.HtmlTable.Mark;
import io.iocluster.lab.load.html.TimeSpan;
import io.iocluster.lab.load.result.ExpectationOutcome;
import io.iocluster.lab.load.result.ExpectationOutcome.State;
import io.iocluster.lab.load.result.FaultMark;
import io.iocluster.lab.load.result.LatencyHistogram;
import io.iocluster.lab.load.result.PhaseResult;
import io.iocluster.lab.load.result.RunResult;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** The report of a run as one HTML file. */
public final class RunReport {

    /** A schedule error whose p99 is longer distorts the latencies. */
    private static final double LATE_MILLIS = 10;

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss 'UTC'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private RunReport() {}

    /** Returns the document. */
    public static String html(RunResult result) {
        HtmlPage page = new HtmlPage("Load test: " + result.name(), spans(result));
        Mark mark = result.isSuccess() ? Mark.GOOD : Mark.BAD;
        page.verdict(mark, verdict(result));
        warning(result).ifPresent(text -> page.verdict(Mark.WARN, text));
        if (!result.hypothesis().isBlank()) {
            page.paragraph(result.hypothesis());
        }
        page.note(result.system() + " · started " + TIME.format(result.startedAt()) + " · took "
                + Figures.time(
                        Duration.between(result.startedAt(), result.endedAt()).toMillis() / 1e3)
                + " · seed " + result.seed() + " · run " + result.runId());
        if (!result.expectations().isEmpty()) {
            page.section("Expected and actual").table(expectations(result.expectations()));
        }
        RunTables tables = new RunTables(result);
        if (result.search() != null) {
            page.section("Search for the highest rate")
                    .paragraph(RunTables.searchResult(result.search()))
                    .table(RunTables.trials(result.search()));
        }
        if (!result.faults().isEmpty()) {
            page.section("Faults")
                    .note("The shaded parts of the charts. Times are minutes and seconds since the start.")
                    .table(faults(result.faults()));
        }
        RunCharts charts = new RunCharts(result);
        page.section("Over time").charts(charts.ofCalls()).charts(charts.ofMetrics());
        page.section("Latency")
                .note("From when a call was due to when its answer was read, or to its deadline. "
                        + RunTables.PERCENTILE_NOTE)
                .table(tables.latencies())
                .charts(List.of(
                        PercentileCurve.chart("Percentiles of each phase", byPhase(result)),
                        PercentileCurve.chart("Where the time went", shares(result))));
        if (tables.hasNodeShares()) {
            page.note(
                            "From the answers' timing: queue is the time until a node read the message, wait is the time in the node"
                                    + " without the last attempt, attempt is the last attempt. The rest of each latency is the generator,"
                                    + " the broker, the way back and the client.")
                    .table(tables.nodeShares());
        }
        page.section("Calls").table(tables.calls());
        if (tables.hasErrors()) {
            page.section("Outcomes by code").table(tables.outcomes());
        }
        page.section("Metrics before, during and after").table(tables.snapshots());
        page.section("Generator")
                .note(
                        "How late calls were sent. The latencies above include it, because they begin when a call was due.")
                .table(tables.generator())
                .table(tables.agents());
        page.section("Environment").table(tables.environment());
        return page.html();
    }

    /** Returns a sentence about the end of a run. */
    public static String verdict(RunResult result) {
        List<String> parts = new ArrayList<>();
        if (!result.isComplete()) {
            parts.add("The run is incomplete: " + result.partialReason() + ".");
        }
        parts.add(expectationsVerdict(result));
        long faulty = result.faults().stream()
                .filter(fault -> fault.problem() != null)
                .count();
        if (faulty > 0) {
            parts.add(faulty + (faulty == 1 ? " fault was" : " faults were") + " not started or not undone.");
        }
        return String.join(" ", parts);
    }

    private static String expectationsVerdict(RunResult result) {
        int all = result.expectations().size();
        long failed = count(result, State.FAILED);
        long unknown = count(result, State.UNKNOWN);
        if (all == 0) {
            return "The experiment has no expectations.";
        }
        if (failed + unknown == 0) {
            return all == 1 ? "The expectation is met." : "All " + all + " expectations are met.";
        }
        if (failed == 0) {
            return all == 1
                    ? "The expectation is unknown."
                    : unknown + " of " + all + " expectations " + are(unknown) + " unknown.";
        }
        String notMet = all == 1
                ? "The expectation is not met"
                : failed + " of " + all + " expectations " + are(failed) + " not met";
        return notMet + (unknown == 0 ? "." : ", and " + unknown + " " + are(unknown) + " unknown.");
    }

    private static String are(long number) {
        return number == 1 ? "is" : "are";
    }

    private static long count(RunResult result, State state) {
        return result.expectations().stream()
                .filter(each -> each.state() == state)
                .count();
    }

    /** Returns a warning if the generator was too slow for the latencies to say much; else nothing. */
    static Optional<String> warning(RunResult result) {
        OptionalDouble late = result.generator().scheduleError().percentileMillis(99);
        return late.isPresent() && late.getAsDouble() > LATE_MILLIS
                ? Optional.of("The generator was too slow: it sent calls up to " + Figures.millis(late.getAsDouble())
                        + " late (p99 of the schedule error), which the latencies include. They say little about the system."
                        + " Give the generator more CPU, its own machine or agents.")
                : Optional.empty();
    }

    private static List<TimeSpan> spans(RunResult result) {
        List<TimeSpan> spans = new ArrayList<>();
        for (PhaseResult phase : result.phases()) {
            spans.add(new TimeSpan(phase.fromSeconds(), phase.toSeconds(), phase.name(), false));
        }
        double end = result.series().isEmpty()
                ? 0
                : result.series().get(result.series().size() - 1).second() + (double) result.intervalSeconds();
        for (int i = 0; i < result.faults().size(); i++) {
            FaultMark fault = result.faults().get(i);
            double to = fault.toSeconds() == null ? Math.max(end, fault.fromSeconds()) : fault.toSeconds();
            spans.add(new TimeSpan(fault.fromSeconds(), to, letter(i), true));
        }
        return spans;
    }

    /** Returns the letter of a fault in the charts: A to Z, then F27 and so on. */
    private static String letter(int index) {
        return index < 26 ? String.valueOf((char) ('A' + index)) : "F" + (index + 1);
    }

    private static HtmlTable expectations(List<ExpectationOutcome> outcomes) {
        HtmlTable table = new HtmlTable("", "expected", "actual");
        for (ExpectationOutcome each : outcomes) {
            switch (each.state()) {
                case MET -> table.add(Mark.GOOD, "✓ met", each.text(), each.actual());
                case FAILED -> table.add(Mark.BAD, "✗ not met", each.text(), each.actual());
                case UNKNOWN -> table.add(Mark.WARN, "? unknown", each.text(), each.actual());
            }
        }
        return table;
    }

    private static HtmlTable faults(List<FaultMark> faults) {
        HtmlTable table = new HtmlTable("", "fault", "what was done", ">from", ">undone", "result");
        for (int i = 0; i < faults.size(); i++) {
            FaultMark fault = faults.get(i);
            table.add(
                    fault.problem() == null ? Mark.NONE : Mark.BAD,
                    letter(i),
                    fault.name(),
                    fault.description(),
                    Figures.time(fault.fromSeconds()),
                    fault.toSeconds() == null ? Figures.NONE : Figures.time(fault.toSeconds()),
                    fault.problem() == null ? "started and undone" : fault.problem());
        }
        return table;
    }

    private static Map<String, LatencyHistogram> byPhase(RunResult result) {
        Map<String, LatencyHistogram> byPhase = new LinkedHashMap<>();
        result.phases().forEach(phase -> byPhase.put(phase.name(), phase.total().latency()));
        return byPhase;
    }

    private static Map<String, LatencyHistogram> shares(RunResult result) {
        Map<String, LatencyHistogram> shares = new LinkedHashMap<>();
        RunTables.measured(result).ifPresent(total -> {
            shares.put("whole call", total.latency());
            shares.put("queue", total.node().queue());
            shares.put("wait in the node", total.node().waiting());
            shares.put("last attempt", total.node().attempt());
            shares.put("rest", total.node().rest());
        });
        if (shares.values().stream().skip(1).allMatch(share -> share.count() == 0)) {
            shares.clear();
        }
        return shares;
    }
}
