package io.iocluster.node.cli.admin;

import io.iocluster.node.cli.terminal.ExitCode;
import io.iocluster.node.cli.terminal.Terminal;
import picocli.CommandLine.Command;

/** Makes nodes read messages again. */
@Command(
        name = "resume",
        description = "Makes paused nodes read messages again.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = ExitCode.HEADING,
        exitCodeList = {"0:Every node reads messages.", NodeCommand.EXIT_FAILURE, NodeCommand.EXIT_USAGE})
public final class ResumeCommand extends StateCommand {

    public ResumeCommand(Terminal terminal) {
        super(terminal, "/api/resume");
    }
}
