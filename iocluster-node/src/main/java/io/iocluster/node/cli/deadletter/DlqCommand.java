package io.iocluster.node.cli.deadletter;

import io.iocluster.node.broker.BrokerAccess;
import io.iocluster.node.cli.terminal.Terminal;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The commands for dead letters. */
@Command(
        name = "dlq",
        description = "Lists, shows and replays dead letters.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND")
public final class DlqCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    private DlqCommand() {}

    /** Returns the command with its subcommands. */
    public static CommandLine create(Terminal terminal, BrokerAccess broker) {
        return new CommandLine(new DlqCommand())
                .addSubcommand(new DlqListCommand(terminal, broker))
                .addSubcommand(new DlqShowCommand(terminal, broker))
                .addSubcommand(new DlqReplayCommand(terminal, broker));
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing: list, show or replay");
    }
}
