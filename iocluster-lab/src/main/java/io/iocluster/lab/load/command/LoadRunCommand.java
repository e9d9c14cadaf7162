package io.iocluster.lab.load.command;

import io.iocluster.lab.load.agent.AgentRun;
import io.iocluster.lab.load.agent.AgentTiming;
import io.iocluster.lab.load.agent.Coordination;
import io.iocluster.lab.load.experiment.ExperimentFile;
import io.iocluster.lab.load.experiment.SystemUnderTest;
import io.iocluster.lab.load.fault.ExperimentFaults;
import io.iocluster.lab.load.metric.MetricReader;
import io.iocluster.lab.load.metric.SystemMetrics;
import io.iocluster.lab.load.report.JUnitReport;
import io.iocluster.lab.load.report.RunReport;
import io.iocluster.lab.load.report.RunSummary;
import io.iocluster.lab.load.report.TerminalProgress;
import io.iocluster.lab.load.result.ResultJson;
import io.iocluster.lab.load.result.RunResult;
import io.iocluster.lab.load.run.LoadRun;
import io.iocluster.lab.load.run.RunParts;
import io.iocluster.lab.load.run.Share;
import io.iocluster.lab.load.schedule.LoadClock;
import io.iocluster.lab.load.target.LoadTarget;
import io.iocluster.node.broker.BrokerAccess;
import io.iocluster.node.cli.terminal.ExitCode;
import io.iocluster.node.cli.terminal.PrintableText;
import io.iocluster.node.cli.terminal.Terminal;
import io.iocluster.node.config.BuildInfo;
import io.iocluster.transport.cluster.ClusterChannel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

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
            "1:An expectation is not met, the run ended early, a fault was not started or not undone, an agent died, or the"
                    + " system cannot be reached.",
            "2:The command line or the experiment is invalid."
        })
final class LoadRunCommand implements Callable<Integer> {

    private static final DateTimeFormatter RUN_ID = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss-SSS", Locale.ROOT);
    private static final int MAX_AGENTS = 100;

    private final Terminal terminal;
    private final BrokerAccess broker;
    private final TerminalProgress progress;

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "EXPERIMENT", description = "File of the experiment, in YAML.")
    private Path file;

    @Option(
            names = "--out",
            paramLabel = "FOLDER",
            description = "Folder of the reports. Default: load-results/ and the id of the run.")
    private Path out;

    @Option(
            names = "--agents",
            paramLabel = "N",
            defaultValue = "0",
            description = "Number of agents that send the calls instead of this process. Start them with `load agent`.")
    private int agents;

    @Option(
            names = {"-c", "--config"},
            paramLabel = "FILE",
            description =
                    "With --agents: configuration of a node. Driver and agents meet on its broker. Default: the broker"
                            + " under test.")
    private Path config;

    LoadRunCommand(Terminal terminal, BrokerAccess broker) {
        this.terminal = terminal;
        this.broker = broker;
        this.progress = new TerminalProgress(terminal.err(), terminal.interactive());
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (agents < 0 || agents > MAX_AGENTS) {
            throw new ParameterException(
                    spec.commandLine(), "--agents must be from 0 to " + MAX_AGENTS + ": " + agents);
        }
        ExperimentFile experiment = LoadCheckCommand.load(file, terminal);
        String runId = RUN_ID.format(LocalDateTime.now());
        Path folder = out == null ? Path.of("load-results", runId) : out;
        Files.createDirectories(folder);
        try (MetricReader metrics =
                new SystemMetrics(experiment.experiment(), terminal.environment(), progress::message)) {
            return agents == 0
                    ? runHere(experiment, runId, metrics, folder)
                    : runOnAgents(experiment, runId, metrics, folder);
        }
    }

    private int runHere(ExperimentFile experiment, String runId, MetricReader metrics, Path folder) throws IOException {
        try (LoadTarget target = LoadTarget.connect(experiment.experiment().system(), "load-" + runId)) {
            LoadRun run = new LoadRun(
                    experiment,
                    new RunParts(
                            runId,
                            BuildInfo.VERSION,
                            target,
                            new ExperimentFaults(experiment, terminal.environment()),
                            metrics,
                            List.of(progress),
                            LoadClock.SYSTEM),
                    Share.ALL);
            try (RunInterruption interruption = interruption(experiment, run::stop, run::undoing)) {
                return report(run.run(), folder);
            }
        }
    }

    private int runOnAgents(ExperimentFile experiment, String runId, MetricReader metrics, Path folder)
            throws IOException, InterruptedException {
        AgentRun run = new AgentRun(
                experiment,
                runId,
                BuildInfo.VERSION,
                channel(experiment.experiment().system(), "driver-" + runId),
                new ExperimentFaults(experiment, terminal.environment()),
                metrics,
                List.of(progress),
                AgentTiming.DEFAULT);
        try (RunInterruption interruption = interruption(experiment, run::stop, run::undoing)) {
            return report(run.run(agents), folder);
        }
    }

    private RunInterruption interruption(ExperimentFile file, Consumer<String> stop, Supplier<String> undoing) {
        return RunInterruption.handle(file.experiment(), stop, undoing, line -> {
            terminal.err().println(PrintableText.escape(line));
            terminal.err().flush();
        });
    }

    private ClusterChannel channel(SystemUnderTest system, String name) {
        if (config != null) {
            return Coordination.of(config, name, broker, terminal.environment());
        }
        if (system.kind() == SystemUnderTest.Kind.HTTP) {
            throw new ParameterException(
                    spec.commandLine(), "--agents needs --config, because plain HTTP has no broker to meet on");
        }
        return Coordination.of(system, name, broker);
    }

    private int report(RunResult result, Path folder) throws IOException {
        RunSummary.lines(result).forEach(terminal.out()::println);
        terminal.out().flush();
        write(folder.resolve("report.html"), RunReport.html(result));
        write(folder.resolve("result.json"), ResultJson.encode(result) + "\n");
        write(folder.resolve("junit.xml"), JUnitReport.xml(result));
        terminal.err().flush();
        return result.isSuccess() ? ExitCode.OK : ExitCode.FAILURE;
    }

    private void write(Path file, String text) throws IOException {
        Files.writeString(file, text);
        terminal.err().println("wrote " + file);
    }
}
