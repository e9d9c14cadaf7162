package io.iocluster.lab.load.report;

import io.iocluster.lab.load.result.ExpectationOutcome;
import io.iocluster.lab.load.result.FaultMark;
import io.iocluster.lab.load.result.LatencyHistogram;
import io.iocluster.lab.load.result.PhaseResult;
import io.iocluster.lab.load.result.RunResult;
import io.iocluster.lab.load.result.TemplateResult;
import io.iocluster.node.cli.terminal.PrintableText;
import io.iocluster.node.cli.terminal.TextTable;
import java.util.ArrayList;
import java.util.List;

/** The result of a run in a few lines for the terminal. */
public final class RunSummary {

    private RunSummary() {}

    /** Returns the lines: phases, the search, problems of faults, expectations, a slow generator, the verdict. */
    public static List<String> lines(RunResult result) {
        List<String> lines = new ArrayList<>(phases(result));
        if (result.search() != null) {
            lines.add("");
            lines.add(RunTables.searchResult(result.search()));
        }
        for (FaultMark fault : result.faults()) {
            if (fault.problem() != null) {
                lines.add(PrintableText.escape("fault " + fault.name() + ": " + fault.problem()));
            }
        }
        if (!result.expectations().isEmpty()) {
            lines.add("");
            TextTable table = new TextTable("", "expected", "actual");
            for (ExpectationOutcome each : result.expectations()) {
                String state = switch (each.state()) {
                    case MET -> "met";
                    case FAILED -> "not met";
                    case UNKNOWN -> "unknown";
                };
                table.add(state, each.text(), each.actual());
            }
            lines.addAll(table.lines());
        }
        lines.add("");
        RunReport.warning(result).ifPresent(lines::add);
        lines.add(PrintableText.escape(RunReport.verdict(result)));
        return lines;
    }

    private static List<String> phases(RunResult result) {
        TextTable table = new TextTable(
                "phase",
                ">due",
                ">sent",
                ">sent rate",
                ">p50",
                ">p99",
                ">p99.9",
                ">max",
                ">no latency",
                ">errors",
                ">share");
        for (PhaseResult phase : result.phases()) {
            TemplateResult total = phase.total();
            LatencyHistogram latency = total.latency();
            table.add(
                    phase.name(),
                    Figures.count(phase.due()),
                    Figures.count(phase.sent()),
                    Figures.rate(phase.actualRate()),
                    Figures.percentile(latency, 50),
                    Figures.percentile(latency, 99),
                    Figures.percentile(latency, 99.9),
                    Figures.max(latency),
                    Figures.count(latency.unanswered()),
                    Figures.count(total.errors()),
                    Figures.share(total.errorShare()));
        }
        return table.lines();
    }
}
