package io.iocluster.node.cli;

import io.iocluster.node.BrokerAccess;
import io.iocluster.node.config.EffectiveSettings;
import io.iocluster.node.config.LoadedSettings;
import io.iocluster.node.config.NodeSettings;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Validates a configuration and shows what holds. */
@Command(
        name = "check",
        description = "Validates the configuration and prints what holds, with secrets hidden.",
        mixinStandardHelpOptions = true)
final class CheckCommand implements Callable<Integer> {

    private final Terminal terminal;
    private final BrokerAccess broker;

    @Mixin
    private ConfigOption config;

    @Option(names = "--connect", description = "Also reaches for the broker and its queues.")
    private boolean connect;

    CheckCommand(Terminal terminal, BrokerAccess broker) {
        this.terminal = terminal;
        this.broker = broker;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        LoadedSettings<NodeSettings> loaded = config.load(terminal.environment());
        terminal.out().print(new EffectiveSettings(loaded).yaml());
        terminal.out().flush();
        List<String> problems = connect ? broker.probe(loaded.settings()) : List.of();
        problems.forEach(terminal.err()::println);
        return problems.isEmpty() ? Commands.DONE : Commands.FAILED;
    }
}
