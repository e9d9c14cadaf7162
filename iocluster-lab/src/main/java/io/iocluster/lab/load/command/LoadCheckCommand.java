package io.iocluster.lab.load.command;

import io.iocluster.lab.load.data.ExperimentData;
import io.iocluster.lab.load.experiment.Experiment;
import io.iocluster.lab.load.experiment.ExperimentFile;
import io.iocluster.lab.load.experiment.Phase;
import io.iocluster.lab.load.result.RunResult;
import io.iocluster.lab.load.schedule.Schedule;
import io.iocluster.node.cli.terminal.ExitCode;
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
        description = "Checks an experiment and its data files, and prints what a run would do. Calls nothing.",
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
        ExperimentFile checked = load(file, terminal);
        Experiment experiment = checked.experiment();
        print("name", experiment.name());
        print("system", RunResult.describe(experiment));
        for (Phase phase : experiment.phases()) {
            print("phase", describe(phase));
        }
        print("expectations", Integer.toString(experiment.expectations().size()));
        print("faults", Integer.toString(experiment.faults().size()));
        terminal.out().println("experiment is valid");
        terminal.out().flush();
        return ExitCode.OK;
    }

    /**
     * Reads an experiment and checks its files.
     *
     * @throws InvalidSettingsException if there are errors; contains all that were found
     */
    static ExperimentFile load(Path file, Terminal terminal) {
        ExperimentFile checked = ExperimentFile.load(file, terminal.environment());
        try {
            ExperimentData.check(checked);
        } catch (IOException invalid) {
            throw new InvalidSettingsException(
                    List.of(new InvalidSetting(file + ":", String.valueOf(invalid.getMessage()))));
        }
        return checked;
    }

    private void print(String name, String value) {
        terminal.out().printf(Locale.ROOT, "%-13s %s%n", name, value);
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
