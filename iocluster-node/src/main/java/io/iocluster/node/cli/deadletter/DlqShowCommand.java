package io.iocluster.node.cli.deadletter;

import io.iocluster.node.broker.BrokerAccess;
import io.iocluster.node.cli.terminal.ConfigOption;
import io.iocluster.node.cli.terminal.ExitCode;
import io.iocluster.node.cli.terminal.PrintableText;
import io.iocluster.node.cli.terminal.Terminal;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.settings.SecretNames;
import io.iocluster.transport.deadletter.DeadLetter;
import io.iocluster.transport.deadletter.DeadLetterQueue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Shows one dead letter. */
@Command(
        name = "show",
        description = "Prints the headers and the content of one dead letter. The content may have personal data and"
                + " secrets of the sender.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = ExitCode.HEADING,
        exitCodeList = {
            "0:The dead letter was printed.",
            "1:There is no such dead letter, or the broker cannot be reached.",
            "2:The command line or the configuration is invalid."
        })
final class DlqShowCommand implements Callable<Integer> {

    private final Terminal terminal;
    private final BrokerAccess broker;

    @Mixin
    private ConfigOption config;

    @Parameters(paramLabel = "POSITION", description = "Position of the dead letter, as list prints it.")
    private String position;

    DlqShowCommand(Terminal terminal, BrokerAccess broker) {
        this.terminal = terminal;
        this.broker = broker;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        NodeSettings settings = config.load(terminal.environment()).settings();
        AtomicReference<DeadLetter> found = new AtomicReference<>();
        try (DeadLetterQueue letters = broker.openDeadLetters(settings)) {
            letters.scan(letter -> {
                if (letter.position().equals(position)) {
                    found.set(letter);
                }
                return found.get() == null;
            });
        }
        if (found.get() == null) {
            throw new IOException("there is no dead letter at " + PrintableText.escape(position)
                    + ", or it was replayed; `iocluster dlq list` prints the positions");
        }
        print(found.get());
        return ExitCode.OK;
    }

    private void print(DeadLetter letter) {
        new TreeMap<>(letter.headers())
                .forEach((name, value) -> terminal.out()
                        .println(PrintableText.escape(name) + ": "
                                + (SecretNames.isSecret(name) ? "***" : PrintableText.escape(value))));
        if (letter.obstacle() != null) {
            terminal.err().println("cannot be replayed: " + letter.obstacle());
        }
        terminal.out().println();
        new String(letter.payload(), StandardCharsets.UTF_8)
                .lines()
                .forEach(line -> terminal.out().println(PrintableText.escape(line)));
    }
}
