package io.iocluster.node.cli.admin;

import io.iocluster.node.cli.terminal.Terminal;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The commands that act on one destination of running nodes. */
@Command(
        name = "destination",
        description = "Pauses, limits or resets one destination of running nodes. A pause and a limit end by themselves.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND")
public final class DestinationActionsCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    private DestinationActionsCommand() {}

    /** Returns the command with its subcommands. */
    public static CommandLine create(Terminal terminal) {
        return new CommandLine(new DestinationActionsCommand())
                .addSubcommand(new PauseDestinationCommand(terminal))
                .addSubcommand(new ResumeDestinationCommand(terminal))
                .addSubcommand(new LimitDestinationCommand(terminal))
                .addSubcommand(new UnlimitDestinationCommand(terminal))
                .addSubcommand(new ResetBreakerCommand(terminal));
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "a command is missing: pause, resume, limit, unlimit or reset-breaker");
    }
}
