package io.iocluster.node.cli;

import io.iocluster.node.broker.BrokerAccess;
import io.iocluster.node.broker.BrokerAccess.ProbeResult;
import io.iocluster.node.cli.terminal.ConfigOption;
import io.iocluster.node.cli.terminal.ExitCode;
import io.iocluster.node.cli.terminal.Terminal;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.EffectiveSettings;
import io.iocluster.node.config.binding.LoadedSettings;
import java.io.IOException;
import java.io.PrintStream;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Validates a configuration and prints the settings that differ from their defaults, or all of them. */
@Command(
        name = "check",
        description =
                "Validates the configuration and prints the settings that differ from their defaults as YAML, with"
                        + " secrets hidden.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = ExitCode.HEADING,
        exitCodeList = {
            "0:The configuration is valid and, with --connect, the broker is reachable and the queues exist.",
            "1:The broker cannot be reached, or a queue does not exist.",
            "2:The command line or the configuration is invalid."
        })
final class CheckCommand implements Callable<Integer> {

    private final Terminal terminal;
    private final BrokerAccess broker;

    @Mixin
    private ConfigOption config;

    @Option(names = "--all", description = "Prints all settings, including the defaults.")
    private boolean all;

    @Option(
            names = "--connect",
            description = "Also connects to the broker, checks its queues, and prints the result on standard error.")
    private boolean connect;

    CheckCommand(Terminal terminal, BrokerAccess broker) {
        this.terminal = terminal;
        this.broker = broker;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        LoadedSettings<NodeSettings> loaded = config.load(terminal.environment());
        loaded.settings().requireUsableBrokerClient();
        print(new EffectiveSettings(loaded));
        warnOfUnencryptedSecrets(loaded.settings());
        return connect ? probe(loaded.settings()) : ExitCode.OK;
    }

    /** Prints the words for people as comments, so that the output stays valid YAML. */
    private void print(EffectiveSettings settings) {
        PrintStream out = terminal.out();
        if (all) {
            out.print(settings.yaml());
        } else {
            String changed = settings.changedYaml();
            out.println(
                    changed.isEmpty()
                            ? "# every setting has its default; --all prints them"
                            : "# settings that differ from their defaults; --all prints every setting");
            out.print(changed);
        }
        out.println("# configuration is valid");
        out.flush();
    }

    private void warnOfUnencryptedSecrets(NodeSettings settings) {
        new TreeMap<>(settings.credentials())
                .forEach((name, credential) -> credential
                        .warnings()
                        .forEach(warning -> terminal.err().println("warning: credentials." + name + "." + warning)));
    }

    /** Prints only the problems if there are any, so that they stand out. */
    private int probe(NodeSettings settings) {
        ProbeResult result = broker.probe(settings);
        boolean ok = result.problems().isEmpty();
        (ok ? result.reached() : result.problems()).forEach(terminal.err()::println);
        result.warnings().forEach(warning -> terminal.err().println("warning: " + warning));
        return ok ? ExitCode.OK : ExitCode.FAILURE;
    }
}
