package io.iocluster.lab.load.command;

import io.iocluster.lab.load.local.ClusterCommand;
import io.iocluster.lab.load.local.TargetCommand;
import io.iocluster.node.broker.BrokerAccess;
import io.iocluster.node.cli.SubcommandProvider;
import io.iocluster.node.cli.terminal.Terminal;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code load} command, with the subcommands for load tests. */
@Command(
        name = "load",
        description = "Runs load tests and gamedays that are described in a file.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND")
public final class LoadCommand implements SubcommandProvider, Runnable {

    @Spec
    private CommandSpec spec;

    @Override
    public Object command(Terminal terminal, BrokerAccess broker) {
        return new CommandLine(this)
                .addSubcommand(new LoadRunCommand(terminal, broker))
                .addSubcommand(new LoadCheckCommand(terminal))
                .addSubcommand(new LoadAgentCommand(terminal, broker))
                .addSubcommand(new ReportCommand(terminal))
                .addSubcommand(new CompareCommand(terminal))
                .addSubcommand(new ClusterCommand(terminal))
                .addSubcommand(new TargetCommand(terminal));
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "a command is missing: run, check, agent, report, compare, cluster or target");
    }
}
