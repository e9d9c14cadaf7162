package io.iocluster.node.cli.deadletter;

import io.iocluster.node.broker.BrokerAccess;
import io.iocluster.node.cli.admin.JsonText;
import io.iocluster.node.cli.terminal.ConfigOption;
import io.iocluster.node.cli.terminal.CountArgument;
import io.iocluster.node.cli.terminal.ExitCode;
import io.iocluster.node.cli.terminal.Terminal;
import io.iocluster.node.cli.terminal.TextTable;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.transport.deadletter.DeadLetter;
import io.iocluster.transport.deadletter.DeadLetterQueue;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Lists dead letters that were not replayed. */
@Command(
        name = "list",
        description = "Lists the dead letters that were not replayed, and counts them by reason.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = ExitCode.HEADING,
        exitCodeList = {
            "0:The dead letters were listed, also if there are none.",
            "1:The broker cannot be reached, or the topic or queue does not exist.",
            "2:The command line or the configuration is invalid."
        })
final class DlqListCommand implements Callable<Integer> {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final Terminal terminal;
    private final BrokerAccess broker;

    @Mixin
    private ConfigOption config;

    @Mixin
    private Selection selection;

    @Option(
            names = "--limit",
            defaultValue = "100",
            converter = CountArgument.class,
            paramLabel = "N",
            description = "Maximum number of dead letters to list; the counts include all (default: ${DEFAULT-VALUE}).")
    private int limit;

    @Option(names = "--json", description = "Prints one line of JSON for each dead letter, for scripts.")
    private boolean json;

    DlqListCommand(Terminal terminal, BrokerAccess broker) {
        this.terminal = terminal;
        this.broker = broker;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        NodeSettings settings = config.load(terminal.environment()).settings();
        Predicate<DeadLetter> selected = selection.matcher(settings);
        TextTable table = new TextTable("POSITION", "FAILED AT", "REASON", "HOST", "ID", "ERROR");
        Map<String, Integer> counts = new TreeMap<>();
        int[] listed = {0};
        try (DeadLetterQueue letters = broker.openDeadLetters(settings)) {
            letters.scan(letter -> {
                if (selected.test(letter)) {
                    counts.merge(letter.code(), 1, Integer::sum);
                    if (listed[0]++ < limit) {
                        list(letter, table);
                    }
                }
                return true;
            });
        }
        if (!json) {
            table.lines().forEach(terminal.out()::println);
            TextTable summary = new TextTable("REASON", ">COUNT");
            counts.forEach(summary::add);
            terminal.out().println();
            summary.lines().forEach(terminal.out()::println);
        }
        return ExitCode.OK;
    }

    private void list(DeadLetter letter, TextTable table) {
        String host = Objects.requireNonNullElse(Selection.host(letter), "-");
        String id = Objects.requireNonNullElse(Selection.text(letter, "id"), "-");
        if (json) {
            ObjectNode line = JSON.createObjectNode()
                    .put("position", letter.position())
                    .put("failedAt", Objects.toString(letter.failedAt(), null))
                    .put("reason", letter.code())
                    .put("host", Selection.host(letter))
                    .put("id", Selection.text(letter, "id"))
                    .put("error", letter.error())
                    .put("source", letter.source())
                    .put("obstacle", letter.obstacle());
            terminal.out().println(JsonText.line(line));
        } else {
            table.add(
                    letter.position(),
                    Objects.toString(letter.failedAt(), "-"),
                    letter.code(),
                    host,
                    id,
                    letter.error());
        }
    }
}
