package io.iocluster.node.cli.admin;

import io.iocluster.node.cli.terminal.ExitCode;
import io.iocluster.node.cli.terminal.Terminal;
import picocli.CommandLine.Command;

/** Ends the limits of an operator. */
@Command(
        name = "unlimit",
        description = "Ends the limits that an operator set for a destination.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = ExitCode.HEADING,
        exitCodeList = {
            DestinationCommand.EXIT_DONE,
            DestinationCommand.EXIT_REFUSED,
            NodeCommand.EXIT_USAGE
        })
public final class UnlimitDestinationCommand extends DestinationCommand {

    public UnlimitDestinationCommand(Terminal terminal) {
        super(terminal, "unlimit");
    }
}
