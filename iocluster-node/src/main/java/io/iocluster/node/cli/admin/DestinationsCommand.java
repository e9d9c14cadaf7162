package io.iocluster.node.cli.admin;

import io.iocluster.node.cli.terminal.ExitCode;
import io.iocluster.node.cli.terminal.ListOptions;
import io.iocluster.node.cli.terminal.Terminal;
import io.iocluster.node.cli.terminal.TextTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;

/** Prints the destinations of nodes. */
@Command(
        name = "destinations",
        description = "Prints the destinations of running nodes: calls in flight, queue, errors, breaker.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = ExitCode.HEADING,
        exitCodeList = {NodeCommand.EXIT_OK, NodeCommand.EXIT_FAILURE, NodeCommand.EXIT_USAGE})
public final class DestinationsCommand extends NodeCommand {

    @Mixin
    private ListOptions list;

    public DestinationsCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    JsonNode request(AdminClient node) throws IOException, InterruptedException {
        return node.get("/api/destinations" + list.query());
    }

    @Override
    List<String> lines(List<NodeResponse> responses) {
        TextTable table = new TextTable(
                "NODE",
                "DESTINATION",
                ">IN FLIGHT",
                ">LIMIT",
                ">WAITING",
                ">ATTEMPTS",
                ">ERRORS",
                "BREAKER",
                "RATE",
                "PAUSED",
                "OPERATOR",
                "LAST ERROR");
        responses.forEach(response -> response.json()
                .path("destinations")
                .forEach(destination -> table.add(
                        response.address(),
                        JsonText.text(destination, "name"),
                        JsonText.number(destination, "inFlight"),
                        destination.path("inFlightLimit").asInt(0) == 0
                                ? "-"
                                : JsonText.number(destination, "inFlightLimit"),
                        JsonText.number(destination, "waiting"),
                        JsonText.number(destination, "attempts"),
                        JsonText.number(destination, "errors"),
                        JsonText.text(destination, "breaker"),
                        JsonText.text(destination, "rate"),
                        destination.path("pausedMillis").asLong(0) == 0
                                ? "-"
                                : JsonText.millis(destination, "pausedMillis"),
                        operator(destination),
                        lastError(destination.path("lastError")))));
        List<String> lines = new ArrayList<>(table.lines());
        responses.forEach(response ->
                ListOptions.more(response.address(), response.json()).ifPresent(lines::add));
        return lines;
    }

    private static String operator(JsonNode destination) {
        String state = DestinationCommand.state(destination);
        return state.equals(DestinationCommand.UNCHANGED) ? "-" : state;
    }

    private static String lastError(JsonNode error) {
        return error.isObject()
                ? JsonText.text(error, "reason") + ", " + JsonText.millis(error, "ageMillis") + " ago"
                : "-";
    }
}
