package io.iocluster.lab.load.report;

import io.iocluster.lab.load.html.HtmlTable;
import io.iocluster.lab.load.html.HtmlTable.Mark;
import io.iocluster.lab.load.result.Environment;
import io.iocluster.lab.load.result.GeneratorResult.Agent;
import io.iocluster.lab.load.result.LatencyHistogram;
import io.iocluster.lab.load.result.MetricSeries;
import io.iocluster.lab.load.result.MetricSeries.Sample;
import io.iocluster.lab.load.result.PhaseResult;
import io.iocluster.lab.load.result.RunResult;
import io.iocluster.lab.load.result.SearchResult;
import io.iocluster.lab.load.result.TemplateResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The tables of a report. */
final class RunTables {

    static final String PERCENTILE_NOTE =
            "A percentile is shown if at least ten calls are above it: p99 needs 1,000 calls, p99.99 needs 100,000. Calls without an"
                    + " answer, or that were not sent, count as slower than all others.";

    private static final double[] PERCENTILES = {50, 90, 99, 99.9, 99.99};

    private final RunResult result;

    RunTables(RunResult result) {
        this.result = result;
    }

    /** Returns the figures of all measured phases together; empty if there is none. */
    static Optional<TemplateResult> measured(RunResult result) {
        List<TemplateResult> parts = result.phases().stream()
                .filter(PhaseResult::measured)
                .map(PhaseResult::total)
                .toList();
        return parts.isEmpty() ? Optional.empty() : Optional.of(TemplateResult.sum("all", parts));
    }

    HtmlTable latencies() {
        HtmlTable table = new HtmlTable(
                "phase", "request", ">ended", ">no latency", ">p50", ">p90", ">p99", ">p99.9", ">p99.99", ">max");
        for (PhaseResult phase : result.phases()) {
            for (TemplateResult each : rows(phase)) {
                LatencyHistogram latency = each.latency();
                table.add(
                        latency.unanswered() == 0 ? Mark.NONE : Mark.WARN,
                        Figures.distribution(
                                latency,
                                PERCENTILES,
                                phase.name(),
                                each.template(),
                                Figures.count(latency.count()),
                                Figures.count(latency.unanswered())));
            }
        }
        return table;
    }

    /** Returns the rows of a phase: each request, and all together if there are several. */
    private static List<TemplateResult> rows(PhaseResult phase) {
        List<TemplateResult> rows = new ArrayList<>(phase.templates());
        if (rows.size() != 1) {
            rows.add(phase.total());
        }
        return rows;
    }

    private static Object[] distribution(String first, String second, LatencyHistogram latency) {
        return Figures.distribution(latency, PERCENTILES, first, second, Figures.count(latency.count()));
    }

    boolean hasNodeShares() {
        return measured(result)
                .filter(total -> total.node().attempt().count() > 0)
                .isPresent();
    }

    HtmlTable nodeShares() {
        HtmlTable table =
                new HtmlTable("phase", "share", ">calls", ">p50", ">p90", ">p99", ">p99.9", ">p99.99", ">max");
        for (PhaseResult phase : result.phases()) {
            TemplateResult total = phase.total();
            table.add(distribution(phase.name(), "queue", total.node().queue()));
            table.add(distribution(phase.name(), "wait", total.node().waiting()));
            table.add(distribution(phase.name(), "attempt", total.node().attempt()));
            if (total.node().rest().count() > 0) {
                table.add(distribution(phase.name(), "rest", total.node().rest()));
            }
        }
        return table;
    }

    HtmlTable calls() {
        HtmlTable table = new HtmlTable(
                "phase",
                "request",
                ">from",
                ">to",
                ">due",
                ">sent",
                ">due rate",
                ">sent rate",
                ">errors",
                ">error share");
        for (PhaseResult phase : result.phases()) {
            String name = phase.measured() ? phase.name() : phase.name() + " (not measured)";
            for (TemplateResult each : phase.templates()) {
                if (phase.templates().size() > 1) {
                    table.add(
                            name,
                            each.template(),
                            "",
                            "",
                            "",
                            Figures.count(each.sent()),
                            "",
                            "",
                            Figures.count(each.errors()),
                            Figures.share(each.errorShare()));
                }
            }
            TemplateResult total = phase.total();
            table.add(
                    total.errors() == 0 ? Mark.NONE : Mark.WARN,
                    name,
                    phase.templates().size() == 1 ? phase.templates().get(0).template() : "all",
                    Figures.time(phase.fromSeconds()),
                    Figures.time(phase.toSeconds()),
                    Figures.count(phase.due()),
                    Figures.count(phase.sent()),
                    Figures.rate(phase.intendedRate()),
                    Figures.rate(phase.actualRate()),
                    Figures.count(total.errors()),
                    Figures.share(total.errorShare()));
        }
        return table;
    }

    boolean hasErrors() {
        return result.phases().stream()
                .anyMatch(phase -> !phase.total().outcomes().isEmpty());
    }

    HtmlTable outcomes() {
        HtmlTable table = new HtmlTable("phase", "code", ">calls", ">share");
        for (PhaseResult phase : result.phases()) {
            TemplateResult total = phase.total();
            new TreeMap<>(total.outcomes())
                    .forEach((code, count) -> table.add(
                            phase.name(),
                            code,
                            Figures.count(count),
                            Figures.share((double) count / Math.max(1, total.ended()))));
        }
        return table;
    }

    /** Returns the last value before the run, the range during it, and the last value after it, for each metric. */
    HtmlTable snapshots() {
        double end = result.phases().isEmpty()
                ? 0
                : result.phases().get(result.phases().size() - 1).toSeconds();
        HtmlTable table =
                new HtmlTable("metric", "unit", ">before", ">lowest", ">mean", ">highest", ">after", ">samples");
        for (MetricSeries metric : result.metrics()) {
            List<Sample> before =
                    metric.samples().stream().filter(each -> each.seconds() < 0).toList();
            List<Sample> after = metric.samples().stream()
                    .filter(each -> each.seconds() > end)
                    .toList();
            var during = metric.samples().stream()
                    .filter(each -> each.seconds() >= 0 && each.seconds() <= end)
                    .mapToDouble(Sample::value)
                    .summaryStatistics();
            boolean known = during.getCount() > 0;
            table.add(
                    metric.name(),
                    metric.unit(),
                    last(before),
                    known ? Figures.number(during.getMin()) : Figures.NONE,
                    known ? Figures.number(during.getAverage()) : Figures.NONE,
                    known ? Figures.number(during.getMax()) : Figures.NONE,
                    last(after),
                    Figures.count(during.getCount()));
        }
        return table;
    }

    private static String last(List<Sample> samples) {
        return samples.isEmpty()
                ? Figures.NONE
                : Figures.number(samples.get(samples.size() - 1).value());
    }

    HtmlTable generator() {
        return new HtmlTable("", "", ">calls", ">p50", ">p90", ">p99", ">p99.9", ">p99.99", ">max")
                .add(distribution("schedule error", "", result.generator().scheduleError()));
    }

    HtmlTable agents() {
        HtmlTable table = new HtmlTable("agent", "host", ">sent", ">clock offset", ">offset error", "problem");
        for (Agent agent : result.generator().agents()) {
            table.add(
                    agent.problem() == null ? Mark.NONE : Mark.BAD,
                    agent.name(),
                    agent.host(),
                    Figures.count(agent.sent()),
                    Figures.millis(agent.clockOffsetMillis()),
                    "± " + Figures.millis(agent.clockErrorMillis()),
                    agent.problem() == null ? "" : agent.problem());
        }
        return table;
    }

    HtmlTable environment() {
        Environment environment = result.environment();
        HtmlTable table = new HtmlTable("", "")
                .add("IOCluster", environment.version())
                .add("host", environment.host())
                .add("operating system", environment.operatingSystem())
                .add("processors", environment.processors())
                .add("memory", String.format(Locale.ROOT, "%.1f GiB", environment.memoryBytes() / (double) (1L << 30)))
                .add("Java", environment.java());
        for (Map.Entry<String, String> node : new TreeMap<>(environment.nodes()).entrySet()) {
            table.add("node " + node.getKey(), node.getValue());
        }
        return table;
    }

    static String searchResult(SearchResult search) {
        if (search.bestRate() == null) {
            return "No rate met the objective; the lowest one tried was "
                    + Figures.rate(
                            search.trials().isEmpty()
                                    ? 0
                                    : search.trials().get(0).rate()) + ".";
        }
        return "The highest rate that met the objective is " + Figures.rate(search.bestRate())
                + (search.failedRate() == null
                        ? "; no higher one was tried."
                        : "; " + Figures.rate(search.failedRate()) + " did not meet it.");
    }

    static HtmlTable trials(SearchResult search) {
        HtmlTable table = new HtmlTable("", ">rate", ">from", ">calls", ">p50", ">p99", ">error share", "reason");
        for (SearchResult.Trial trial : search.trials()) {
            table.add(
                    trial.met() ? Mark.GOOD : Mark.BAD,
                    trial.met() ? "✓ met" : "✗ not met",
                    Figures.rate(trial.rate()),
                    Figures.time(trial.fromSeconds()),
                    Figures.count(trial.calls().sent()),
                    Figures.percentile(trial.calls().latency(), 50),
                    Figures.percentile(trial.calls().latency(), 99),
                    Figures.share(trial.calls().errorShare()),
                    trial.reason() == null ? "" : trial.reason());
        }
        return table;
    }
}
