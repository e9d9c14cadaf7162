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
        description =
                "Pauses, limits or resets one destination of running nodes. A pause and a limit end by themselves.",
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
                .addSubcommand(new Resume(terminal))
                .addSubcommand(new LimitDestinationCommand(terminal))
                .addSubcommand(new Unlimit(terminal))
                .addSubcommand(new ResetBreaker(terminal));
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "a command is missing: pause, resume, limit, unlimit or reset-breaker");
    }

    @Command(name = "resume", description = "Ends the pause of a destination.")
    private static final class Resume extends DestinationCommand {

        Resume(Terminal terminal) {
            super(terminal, "resume");
        }
    }

    @Command(name = "unlimit", description = "Ends the limits that an operator set for a destination.")
    private static final class Unlimit extends DestinationCommand {

        Unlimit(Terminal terminal) {
            super(terminal, "unlimit");
        }
    }

    @Command(name = "reset-breaker", description = "Closes the breaker of a destination and forgets its counts.")
    private static final class ResetBreaker extends DestinationCommand {

        ResetBreaker(Terminal terminal) {
            super(terminal, "reset-breaker");
        }
    }
}
