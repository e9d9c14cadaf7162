package io.iocluster.lab.load.command;

import io.iocluster.lab.load.experiment.ExperimentFile;
import io.iocluster.lab.load.result.RunResult;
import io.iocluster.lab.load.run.LoadRun;
import io.iocluster.lab.load.run.RunParts;
import io.iocluster.lab.load.run.Share;
import io.iocluster.lab.load.schedule.LoadClock;
import io.iocluster.lab.load.spi.LoadExtensions;
import io.iocluster.lab.load.spi.MetricReader;
import io.iocluster.lab.load.target.LoadTarget;
import io.iocluster.node.build.BuildInfo;
import io.iocluster.node.cli.terminal.ExitCode;
import io.iocluster.node.cli.terminal.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs an experiment. */
@Command(
        name = "run",
        description =
                "Runs an experiment and writes its reports. Ctrl-C ends it at any time: nothing more is sent, the faults"
                        + " are undone, and the reports show what is known.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = ExitCode.HEADING,
        exitCodeList = {
            "0:All expectations are met.",
            "1:An expectation is not met, the run ended early, a fault was not started or not undone, or the system cannot"
                    + " be reached.",
            "2:The command line or the experiment is invalid."
        })
final class LoadRunCommand implements Callable<Integer> {

    private static final DateTimeFormatter RUN_ID = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss-SSS", Locale.ROOT);

    private final Terminal terminal;
    private final LoadExtensions extensions;

    @Parameters(index = "0", paramLabel = "EXPERIMENT", description = "File of the experiment, in YAML.")
    private Path file;

    @Option(
            names = "--out",
            paramLabel = "FOLDER",
            description = "Folder of the reports. Default: load-results/ and the id of the run.")
    private Path out;

    LoadRunCommand(Terminal terminal, LoadExtensions extensions) {
        this.terminal = terminal;
        this.extensions = extensions;
    }

    @Override
    public Integer call() throws IOException {
        ExperimentFile experiment = LoadCheckCommand.load(file, terminal);
        String runId = RUN_ID.format(LocalDateTime.now());
        Path folder = out == null ? Path.of("load-results", runId) : out;
        Files.createDirectories(folder);
        try (MetricReader metrics = extensions.metricReader(experiment);
                LoadTarget target = LoadTarget.connect(experiment.experiment().system(), "load-" + runId)) {
            LoadRun run = new LoadRun(
                    experiment,
                    new RunParts(
                            runId,
                            BuildInfo.VERSION,
                            target,
                            extensions.faultInjector(experiment),
                            metrics,
                            extensions.listeners(),
                            LoadClock.SYSTEM),
                    Share.ALL);
            try (InterruptedRun signal = InterruptedRun.stopOnSignal(run)) {
                RunResult result = run.run();
                for (Path written : extensions.writeReports(result, experiment, folder)) {
                    terminal.err().println("wrote " + written);
                }
                terminal.err().flush();
                return result.isSuccess() ? ExitCode.OK : ExitCode.FAILURE;
            }
        }
    }
}
