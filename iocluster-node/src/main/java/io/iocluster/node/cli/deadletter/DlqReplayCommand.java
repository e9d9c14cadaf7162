package io.iocluster.node.cli.deadletter;

import io.iocluster.node.broker.BrokerAccess;
import io.iocluster.node.cli.terminal.ConfigOption;
import io.iocluster.node.cli.terminal.ExitCode;
import io.iocluster.node.cli.terminal.Terminal;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.settings.Rate;
import io.iocluster.transport.deadletter.DeadLetter;
import io.iocluster.transport.deadletter.DeadLetterQueue;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Puts the requests of dead letters back on their queue. */
@Command(
        name = "replay",
        description = "Puts the requests of dead letters back on their queue, unchanged and each once. You can stop the"
                + " command at any time and run it again.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = ExitCode.HEADING,
        exitCodeList = {
            "0:Every selected dead letter was replayed.",
            "1:Some cannot be replayed, or the broker cannot be reached.",
            "2:The command line or the configuration is invalid."
        })
final class DlqReplayCommand implements Callable<Integer> {

    private final Terminal terminal;
    private final BrokerAccess broker;
    private final Map<String, Integer> obstacles = new TreeMap<>();
    private long selected;

    @Mixin
    private ConfigOption config;

    @Mixin
    private Selection selection;

    @Option(names = "--dry-run", description = "Counts what would be replayed, and changes nothing.")
    private boolean dryRun;

    @Option(
            names = "--rate",
            defaultValue = "unlimited",
            converter = RateArgument.class,
            paramLabel = "RATE",
            description = "Maximum rate, such as 50/s or 600/m (default: ${DEFAULT-VALUE}).")
    private Rate rate;

    DlqReplayCommand(Terminal terminal, BrokerAccess broker) {
        this.terminal = terminal;
        this.broker = broker;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        NodeSettings settings = config.load(terminal.environment()).settings();
        Predicate<DeadLetter> matcher = selection.matcher(settings);
        Predicate<DeadLetter> counting = letter -> matcher.test(letter) && count(letter);
        try (DeadLetterQueue letters = broker.openDeadLetters(settings)) {
            if (dryRun) {
                letters.scan(letter -> counting.test(letter) || true);
                terminal.out().println("would replay " + selected);
            } else {
                long replayed = letters.replay(counting, rate);
                terminal.out().println("replayed " + replayed);
                if (replayed < selected) {
                    obstacles.merge("the request topic or queue refused it", (int) (selected - replayed), Integer::sum);
                }
            }
        }
        obstacles.forEach((obstacle, count) -> terminal.err().println("not replayed " + count + ": " + obstacle));
        return obstacles.isEmpty() ? ExitCode.OK : ExitCode.FAILURE;
    }

    private boolean count(DeadLetter letter) {
        if (letter.obstacle() == null) {
            selected++;
            return true;
        }
        obstacles.merge(letter.obstacle(), 1, Integer::sum);
        return false;
    }

    /** Parses a rate in the syntax of the configuration. */
    static final class RateArgument implements ITypeConverter<Rate> {

        @Override
        public Rate convert(String text) {
            try {
                return Rate.parse(text);
            } catch (IllegalArgumentException wrong) {
                throw new TypeConversionException(wrong.getMessage());
            }
        }
    }
}
