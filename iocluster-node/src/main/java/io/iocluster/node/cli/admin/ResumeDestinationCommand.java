package io.iocluster.node.cli.admin;

import io.iocluster.node.cli.terminal.ExitCode;
import io.iocluster.node.cli.terminal.Terminal;
import picocli.CommandLine.Command;

/** Ends the pause of a destination. */
@Command(
        name = "resume",
        description = "Ends the pause of a destination.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = ExitCode.HEADING,
        exitCodeList = {
            DestinationCommand.EXIT_DONE,
            DestinationCommand.EXIT_REFUSED,
            NodeCommand.EXIT_USAGE
        })
public final class ResumeDestinationCommand extends DestinationCommand {

    public ResumeDestinationCommand(Terminal terminal) {
        super(terminal, "resume");
    }
}
