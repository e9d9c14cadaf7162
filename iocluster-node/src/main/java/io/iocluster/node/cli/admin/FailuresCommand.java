package io.iocluster.node.cli.admin;

import io.iocluster.node.cli.terminal.CountArgument;
import io.iocluster.node.cli.terminal.ExitCode;
import io.iocluster.node.cli.terminal.PrintableText;
import io.iocluster.node.cli.terminal.Terminal;
import io.iocluster.node.cli.terminal.TextTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** Prints the recent failures of nodes. */
@Command(
        name = "failures",
        description = "Prints the failures of running nodes by destination and error code, with the latest calls.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = ExitCode.HEADING,
        exitCodeList = {NodeCommand.EXIT_OK, NodeCommand.EXIT_FAILURE, NodeCommand.EXIT_USAGE})
public final class FailuresCommand extends NodeCommand {

    @Option(
            names = "--calls",
            defaultValue = "1",
            converter = CountArgument.class,
            paramLabel = "N",
            description = "Prints up to N of the latest calls of each group (default: ${DEFAULT-VALUE}).")
    private int calls;

    public FailuresCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    JsonNode request(AdminClient node) throws IOException, InterruptedException {
        return node.get("/api/failures");
    }

    @Override
    List<String> lines(List<NodeResponse> responses) {
        TextTable table = new TextTable("NODE", "DESTINATION", "CODE", ">COUNT", "FIRST", "LAST");
        List<String> latest = new ArrayList<>();
        responses.forEach(response -> response.json().path("groups").forEach(group -> {
            table.add(
                    response.address(),
                    JsonText.text(group, "destination"),
                    JsonText.text(group, "code"),
                    JsonText.number(group, "count"),
                    JsonText.text(group, "first"),
                    JsonText.text(group, "last"));
            group.path("latest").valueStream().limit(calls).forEach(call -> latest.add(line(group, call)));
        }));
        List<String> lines = new ArrayList<>(table.lines());
        if (!latest.isEmpty()) {
            lines.add("");
            lines.addAll(latest);
        }
        return lines;
    }

    private static String line(JsonNode group, JsonNode call) {
        return PrintableText.escape(JsonText.text(call, "at") + " " + JsonText.text(group, "destination") + " "
                + JsonText.text(group, "code") + " id=" + JsonText.text(call, "id") + " attempts="
                + JsonText.number(call, "attempts") + ": " + JsonText.text(call, "message"));
    }
}
