package io.iocluster.node.cli.admin;

import io.iocluster.node.cli.terminal.ExitCode;
import io.iocluster.node.cli.terminal.Terminal;
import picocli.CommandLine.Command;

/** Makes nodes stop reading messages. */
@Command(
        name = "pause",
        description = "Makes running nodes stop reading messages. Calls in flight finish.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = ExitCode.HEADING,
        exitCodeList = {"0:Every node is paused.", NodeCommand.EXIT_FAILURE, NodeCommand.EXIT_USAGE})
public final class PauseCommand extends StateCommand {

    public PauseCommand(Terminal terminal) {
        super(terminal, "/api/pause");
    }
}
