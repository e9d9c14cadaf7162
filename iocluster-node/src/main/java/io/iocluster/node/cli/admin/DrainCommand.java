package io.iocluster.node.cli.admin;

import io.iocluster.node.cli.terminal.ExitCode;
import io.iocluster.node.cli.terminal.Terminal;
import picocli.CommandLine.Command;

/** Starts the drain of nodes. */
@Command(
        name = "drain",
        description =
                "Makes running nodes finish what is in flight and read no more. You cannot undo it: restart the process.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = ExitCode.HEADING,
        exitCodeList = {"0:Every node drains.", NodeCommand.EXIT_FAILURE, NodeCommand.EXIT_USAGE})
public final class DrainCommand extends StateCommand {

    public DrainCommand(Terminal terminal) {
        super(terminal, "/api/drain");
    }
}
