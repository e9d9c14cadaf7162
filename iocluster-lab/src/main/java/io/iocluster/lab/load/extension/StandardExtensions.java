package io.iocluster.lab.load.extension;

import io.iocluster.lab.load.experiment.ExperimentFile;
import io.iocluster.lab.load.fault.ExperimentFaults;
import io.iocluster.lab.load.metric.SystemMetrics;
import io.iocluster.lab.load.report.JUnitReport;
import io.iocluster.lab.load.report.RunReport;
import io.iocluster.lab.load.report.RunSummary;
import io.iocluster.lab.load.report.TerminalProgress;
import io.iocluster.lab.load.result.ResultJson;
import io.iocluster.lab.load.result.RunResult;
import io.iocluster.lab.load.spi.FaultInjector;
import io.iocluster.lab.load.spi.LoadExtensions;
import io.iocluster.lab.load.spi.MetricReader;
import io.iocluster.lab.load.spi.RunListener;
import io.iocluster.node.cli.terminal.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What {@code load run} uses: progress on the terminal, faults, metrics of nodes and Prometheus, and reports as files. */
public final class StandardExtensions implements LoadExtensions {

    private final Terminal terminal;
    private final TerminalProgress progress;

    public StandardExtensions(Terminal terminal) {
        this.terminal = terminal;
        this.progress = new TerminalProgress(terminal.err(), terminal.interactive());
    }

    @Override
    public List<RunListener> listeners() {
        return List.of(progress, new RunListener() {
            @Override
            public void ended(RunResult result) {
                RunSummary.lines(result).forEach(terminal.out()::println);
                terminal.out().flush();
            }
        });
    }

    @Override
    public FaultInjector faultInjector(ExperimentFile file) {
        return new ExperimentFaults(file, terminal.environment());
    }

    @Override
    public MetricReader metricReader(ExperimentFile file) {
        return new SystemMetrics(file.experiment(), terminal.environment(), progress::message);
    }

    @Override
    public List<Path> writeReports(RunResult result, ExperimentFile file, Path folder) throws IOException {
        return List.of(
                Files.writeString(folder.resolve("report.html"), RunReport.html(result)),
                Files.writeString(folder.resolve("result.json"), ResultJson.encode(result) + "\n"),
                Files.writeString(folder.resolve("junit.xml"), JUnitReport.xml(result)));
    }
}
