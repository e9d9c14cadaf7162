package io.iocluster.lab.load.command;

import io.iocluster.lab.load.agent.AgentIdentity;
import io.iocluster.lab.load.agent.AgentProcess;
import io.iocluster.lab.load.agent.AgentTiming;
import io.iocluster.lab.load.agent.Coordination;
import io.iocluster.lab.load.agent.LoadAgent;
import io.iocluster.lab.load.result.Environment;
import io.iocluster.node.broker.BrokerAccess;
import io.iocluster.node.cli.terminal.ExitCode;
import io.iocluster.node.cli.terminal.PrintableText;
import io.iocluster.node.cli.terminal.Terminal;
import io.iocluster.node.config.BuildInfo;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs an agent. */
@Command(
        name = "agent",
        description = "Sends a share of the calls of each run that `load run --agents` starts on the same broker.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = ExitCode.HEADING,
        exitCodeList = {
            "0:The agent took part in --runs runs.",
            "1:The agent failed, or could not do its part of one of --runs runs.",
            "2:The command line or the configuration is invalid."
        })
final class LoadAgentCommand implements Callable<Integer> {

    private static final int MAX_LINE = 2_000;
    private static final int MAX_NAME = 128;

    private final Terminal terminal;
    private final BrokerAccess broker;

    @Spec
    private CommandSpec spec;

    @Option(
            names = {"-c", "--config"},
            required = true,
            paramLabel = "FILE",
            description = "Configuration of a node. Driver and agents meet on its broker, on the topic or exchange "
                    + Coordination.NAME + ".")
    private Path config;

    @Option(names = "--name", paramLabel = "NAME", description = "Unique name. Default: host and process id.")
    private String name;

    @Option(
            names = "--data",
            paramLabel = "FOLDER",
            defaultValue = ".",
            description = "Folder of the files that an experiment names (default: the current one).")
    private Path data;

    @Option(
            names = "--runs",
            paramLabel = "N",
            defaultValue = "0",
            description = "Ends after this number of runs; 0 for unlimited (default: ${DEFAULT-VALUE}).")
    private int runs;

    LoadAgentCommand(Terminal terminal, BrokerAccess broker) {
        this.terminal = terminal;
        this.broker = broker;
    }

    @Override
    public Integer call() throws InterruptedException {
        if (runs < 0) {
            throw new ParameterException(spec.commandLine(), "--runs must not be negative: " + runs);
        }
        String unique = name == null
                ? Environment.hostName() + "-" + ProcessHandle.current().pid()
                : name;
        if (unique.isBlank() || unique.length() > MAX_NAME) {
            throw new ParameterException(
                    spec.commandLine(), "--name must have 1 to " + MAX_NAME + " characters: " + unique);
        }
        AgentProcess agent = new AgentProcess(
                AgentIdentity.create(unique, Environment.hostName(), BuildInfo.VERSION),
                Coordination.of(config, unique, broker, terminal.environment()),
                new LoadAgent(unique, BuildInfo.VERSION, data, terminal.environment()),
                AgentTiming.DEFAULT,
                this::print);
        print("Agent " + unique + " waits for a driver…");
        return agent.serve(runs) == 0 ? ExitCode.OK : ExitCode.FAILURE;
    }

    private void print(String line) {
        terminal.err().println(PrintableText.escape(line, MAX_LINE));
        terminal.err().flush();
    }
}
