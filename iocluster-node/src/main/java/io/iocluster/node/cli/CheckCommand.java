package io.iocluster.node.cli;

import io.iocluster.node.broker.BrokerAccess;
import io.iocluster.node.broker.BrokerAccess.ProbeResult;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.EffectiveSettings;
import io.iocluster.node.config.binding.LoadedSettings;
import java.io.IOException;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Validates a configuration and shows what holds. */
@Command(
        name = "check",
        description = "Validates the configuration and prints what holds, with secrets hidden.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = Commands.EXIT_CODES_HEADING,
        exitCodeList = {
            "0:The configuration is right and, with --connect, broker and queues are there.",
            "1:The broker cannot be reached, or a queue is missing.",
            "2:The command line or the configuration is wrong."
        })
final class CheckCommand implements Callable<Integer> {

    private final Terminal terminal;
    private final BrokerAccess broker;

    @Mixin
    private ConfigOption config;

    @Option(
            names = "--connect",
            description = "Also reaches for the broker and its queues, and says on standard error what it found.")
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
        warnOfUnencryptedSecrets(loaded.settings());
        return connect ? reach(loaded.settings()) : Commands.EXIT_OK;
    }

    private void warnOfUnencryptedSecrets(NodeSettings settings) {
        new TreeMap<>(settings.credentials())
                .forEach((name, credential) -> credential
                        .warnings()
                        .forEach(warning -> terminal.err().println("warning: credentials." + name + "." + warning)));
    }

    /** What is wrong is not to be looked for among what is right. */
    private int reach(NodeSettings settings) {
        ProbeResult probe = broker.probe(settings);
        boolean well = probe.problems().isEmpty();
        (well ? probe.reached() : probe.problems()).forEach(terminal.err()::println);
        probe.warnings().forEach(warning -> terminal.err().println("warning: " + warning));
        return well ? Commands.EXIT_OK : Commands.EXIT_FAILURE;
    }
}
