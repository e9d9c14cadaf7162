package io.iocluster.lab.load.command;

import io.iocluster.lab.load.data.CallSpec;
import io.iocluster.lab.load.data.ExperimentData;
import io.iocluster.lab.load.data.InvalidRequestException;
import io.iocluster.lab.load.experiment.Experiment;
import io.iocluster.lab.load.experiment.ExperimentFile;
import io.iocluster.lab.load.experiment.Fault;
import io.iocluster.lab.load.experiment.Phase;
import io.iocluster.lab.load.experiment.RequestTemplate;
import io.iocluster.lab.load.report.Figures;
import io.iocluster.lab.load.result.RunResult;
import io.iocluster.lab.load.schedule.Schedule;
import io.iocluster.node.cli.terminal.ExitCode;
import io.iocluster.node.cli.terminal.PrintableText;
import io.iocluster.node.cli.terminal.Terminal;
import io.iocluster.settings.DurationText;
import io.iocluster.settings.InvalidSettingsException;
import io.iocluster.settings.InvalidSettingsException.InvalidSetting;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Checks an experiment. */
@Command(
        name = "check",
        description =
                "Checks an experiment and its data files, and prints what a run would do, with each request once as it would be"
                        + " sent. Calls nothing.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = ExitCode.HEADING,
        exitCodeList = {
            "0:The experiment is valid.",
            "2:The command line or the experiment is invalid. Each error names the file, the line and the key."
        })
final class LoadCheckCommand implements Callable<Integer> {

    private final Terminal terminal;

    @Parameters(index = "0", paramLabel = "EXPERIMENT", description = "File of the experiment, in YAML.")
    private Path file;

    LoadCheckCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        Checked checked = check(file, terminal);
        Experiment experiment = checked.file().experiment();
        print("name", experiment.name());
        print("system", RunResult.describe(experiment));
        printRequests(experiment, checked.examples());
        experiment.phases().forEach(phase -> print("phase", describe(phase)));
        experiment.faults().forEach(fault -> print("fault", describe(fault)));
        experiment.expectations().forEach(expectation -> print("expectation", expectation));
        terminal.out().println("experiment is valid");
        terminal.out().flush();
        return ExitCode.OK;
    }

    private void printRequests(Experiment experiment, List<CallSpec> examples) {
        double weights = experiment.requests().stream()
                .mapToDouble(RequestTemplate::weight)
                .sum();
        for (int i = 0; i < examples.size(); i++) {
            RequestTemplate request = experiment.requests().get(i);
            print("request", request.name() + ": " + Figures.share(request.weight() / weights) + " of the calls");
            RequestLines.of(examples.get(i)).forEach(line -> print("", line));
        }
    }

    /** A valid experiment, and a call of each of its requests. */
    private record Checked(ExperimentFile file, List<CallSpec> examples) {}

    /**
     * Reads an experiment and checks its files.
     *
     * @throws InvalidSettingsException if there are errors; contains all that were found
     */
    static ExperimentFile load(Path file, Terminal terminal) {
        return check(file, terminal).file();
    }

    private static Checked check(Path file, Terminal terminal) {
        ExperimentFile read = ExperimentFile.load(file, terminal.environment());
        try {
            return new Checked(read, ExperimentData.check(read));
        } catch (InvalidRequestException invalid) {
            throw read.invalid(file, invalid.key(), invalid.problem());
        } catch (IOException invalid) {
            throw new InvalidSettingsException(
                    List.of(new InvalidSetting(file + ":", String.valueOf(invalid.getMessage()))));
        }
    }

    private void print(String name, String value) {
        terminal.out().printf(Locale.ROOT, "%-13s %s%n", name, PrintableText.escape(value));
    }

    private static String describe(Fault fault) {
        return fault.name() + ": "
                + fault.action().name().toLowerCase(Locale.ROOT).replace('_', '-') + ", "
                + DurationText.format(fault.at()) + " after the start of "
                + (fault.phase().isEmpty() ? "the first phase" : "phase " + fault.phase())
                + (fault.duration().isZero()
                        ? ", until the end of the run"
                        : ", for " + DurationText.format(fault.duration()));
    }

    private static String describe(Phase phase) {
        String kind = phase.name() + ": " + phase.shape().name().toLowerCase(Locale.ROOT);
        return switch (phase.shape()) {
            case USERS -> kind + " " + phase.users() + " for " + DurationText.format(phase.duration());
            case REPLAY -> kind + " " + phase.file() + " at " + phase.speed() + "x";
            case SEARCH ->
                kind + " from " + phase.from() + " to " + phase.to() + " in at most "
                        + DurationText.format(phase.plannedDuration());
            case CONSTANT, RAMP, STEP, SPIKE, SINE ->
                String.format(
                        Locale.ROOT,
                        "%s %s, %,d calls in %s",
                        kind,
                        phase.shape() == Phase.Shape.CONSTANT ? phase.rate() : phase.from() + " to " + phase.to(),
                        Schedule.of(phase).calls(),
                        DurationText.format(phase.duration()));
        };
    }
}
