package io.iocluster.node.cli.admin;

import io.iocluster.node.cli.terminal.ExitCode;
import io.iocluster.node.cli.terminal.Terminal;
import picocli.CommandLine.Command;

/** Closes the breaker of a destination. */
@Command(
        name = "reset-breaker",
        description = "Closes the breaker of a destination and forgets its counts.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = ExitCode.HEADING,
        exitCodeList = {
            DestinationCommand.EXIT_DONE,
            DestinationCommand.EXIT_REFUSED,
            NodeCommand.EXIT_USAGE
        })
public final class ResetBreakerCommand extends DestinationCommand {

    public ResetBreakerCommand(Terminal terminal) {
        super(terminal, "reset-breaker");
    }
}
