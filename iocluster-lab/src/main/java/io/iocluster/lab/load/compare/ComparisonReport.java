package io.iocluster.lab.load.compare;

import io.iocluster.lab.load.compare.ComparedFigure.Verdict;
import io.iocluster.lab.load.html.Chart;
import io.iocluster.lab.load.html.Chart.Axis;
import io.iocluster.lab.load.html.Chart.Color;
import io.iocluster.lab.load.html.Chart.Unit;
import io.iocluster.lab.load.html.HtmlPage;
import io.iocluster.lab.load.html.HtmlTable;
import io.iocluster.lab.load.html.HtmlTable.Mark;
import io.iocluster.lab.load.html.TimeSpan;
import io.iocluster.lab.load.report.Figures;
import io.iocluster.lab.load.report.PercentileCurve;
import io.iocluster.lab.load.result.LatencyHistogram;
import io.iocluster.lab.load.result.PhaseResult;
import io.iocluster.lab.load.result.RunResult;
import io.iocluster.lab.load.result.TimePoint;
import io.iocluster.node.cli.terminal.PrintableText;
import io.iocluster.node.cli.terminal.TextTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/** A comparison as lines for the terminal and as one HTML file. */
public final class ComparisonReport {

    private static final String NOISE_NOTE =
            "Noise: intervals of both runs are paired by their time in the phase, and the noise is half of the 95 % confidence"
                    + " interval of the mean difference. For a percentile it is at least the uncertainty of its rank."
                    + " Differences below 1 % count as noise.";

    private ComparisonReport() {}

    /** Returns the lines of a table with the verdict at the end. */
    public static List<String> lines(RunComparison comparison) {
        List<String> lines = new ArrayList<>();
        comparison.differences().forEach(each -> lines.add(PrintableText.escape("differs: " + each)));
        TextTable table = new TextTable("phase", "figure", ">A", ">B", ">B − A", ">noise", "");
        comparison
                .figures()
                .forEach(each -> table.add(
                        each.phase(),
                        each.name(),
                        each.textOfA(),
                        each.textOfB(),
                        each.textOfDifference(),
                        each.textOfNoise(),
                        each.verdict().text()));
        lines.addAll(table.lines());
        lines.add("");
        lines.add(verdict(comparison));
        return lines;
    }

    private static String verdict(RunComparison comparison) {
        if (!comparison.hasFigures()) {
            return "The runs have no phase in common.";
        }
        long worse = count(comparison, Verdict.WORSE);
        long better = count(comparison, Verdict.IMPROVED);
        return "B against A: " + worse + " worse, " + better + " better, " + count(comparison, Verdict.SAME)
                + " within noise, " + count(comparison, Verdict.UNKNOWN) + " unknown."
                + (comparison.isComplete() ? "" : " A run is incomplete.");
    }

    private static long count(RunComparison comparison, Verdict verdict) {
        return comparison.figures().stream()
                .filter(each -> each.verdict() == verdict)
                .count();
    }

    /** Returns the document. */
    public static String html(RunComparison comparison) {
        RunResult a = comparison.a();
        RunResult b = comparison.b();
        List<TimeSpan> phases = a.phases().stream()
                .map(phase -> new TimeSpan(phase.fromSeconds(), phase.toSeconds(), phase.name(), false))
                .toList();
        HtmlPage page = new HtmlPage("Load test: two runs of " + a.name(), phases)
                .verdict(comparison.isGood() ? Mark.GOOD : Mark.BAD, verdict(comparison))
                .paragraph("A: " + description(a))
                .paragraph("B: " + description(b));
        List<String> differences = comparison.differences();
        if (!differences.isEmpty()) {
            HtmlTable table = new HtmlTable("what differs between the runs");
            differences.forEach(each -> table.add(Mark.WARN, each));
            page.table(table);
        }
        HtmlTable table = new HtmlTable("", "phase", "figure", ">A", ">B", ">B − A", ">noise");
        comparison
                .figures()
                .forEach(each -> table.add(
                        mark(each.verdict()),
                        each.verdict().text(),
                        each.phase(),
                        each.name(),
                        each.textOfA(),
                        each.textOfB(),
                        each.textOfDifference(),
                        each.textOfNoise()));
        page.section("Figures").note(NOISE_NOTE).table(table);
        page.section("Over time")
                .note("Vertical lines are the phases of A.")
                .charts(List.of(
                        overTime("p50", Unit.MILLIS, true, a, b, point -> Figures.orNaN(point.p50Millis())),
                        overTime("p99", Unit.MILLIS, true, a, b, point -> Figures.orNaN(point.p99Millis())),
                        overTime("Answered", Unit.PER_SECOND, false, a, b, TimePoint::ended),
                        overTime("Errors", Unit.PER_SECOND, false, a, b, TimePoint::errors)));
        List<Chart> curves = new ArrayList<>();
        for (PhaseResult phase : a.phases()) {
            b.phase(phase.name()).ifPresent(other -> {
                Map<String, LatencyHistogram> both = new LinkedHashMap<>();
                both.put("A", phase.total().latency());
                both.put("B", other.total().latency());
                curves.add(PercentileCurve.chart("Percentiles of " + phase.name(), both));
            });
        }
        return page.section("Latency").charts(curves).html();
    }

    private static String description(RunResult run) {
        return "run " + run.runId() + ", started " + run.startedAt() + ", " + run.system() + ", "
                + run.environment().host();
    }

    private static Mark mark(Verdict verdict) {
        return switch (verdict) {
            case SAME -> Mark.NONE;
            case IMPROVED -> Mark.GOOD;
            case WORSE -> Mark.BAD;
            case UNKNOWN -> Mark.WARN;
        };
    }

    private static Chart overTime(
            String title, Unit unit, boolean logarithmic, RunResult a, RunResult b, ToDoubleFunction<TimePoint> value) {
        Map<Long, double[]> bySecond = new TreeMap<>();
        for (int run = 0; run < 2; run++) {
            RunResult each = run == 0 ? a : b;
            double divisor = unit == Unit.PER_SECOND ? each.intervalSeconds() : 1;
            for (TimePoint point : each.series()) {
                bySecond.computeIfAbsent(point.second(), any -> new double[] {Double.NaN, Double.NaN})[run] =
                        value.applyAsDouble(point) / divisor;
            }
        }
        double[] xs = bySecond.keySet().stream().mapToDouble(Long::doubleValue).toArray();
        Chart.Builder chart = new Chart.Builder(title, Axis.TIME, unit, xs)
                .line("A", Color.A, column(bySecond, 0))
                .line("B", Color.B, column(bySecond, 1));
        return (logarithmic ? chart.logarithmic() : chart).build();
    }

    private static double[] column(Map<Long, double[]> bySecond, int run) {
        return bySecond.values().stream().mapToDouble(pair -> pair[run]).toArray();
    }
}
