package io.iocluster.node.cli.admin;

import io.iocluster.node.cli.terminal.ExitCode;
import io.iocluster.node.cli.terminal.PrintableText;
import io.iocluster.node.cli.terminal.Terminal;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Requests an action on one destination from nodes, and prints the new state of the destination. */
@Command(
        mixinStandardHelpOptions = true,
        exitCodeListHeading = ExitCode.HEADING,
        exitCodeList = {
            "0:Every node has done it.",
            "1:A node cannot be reached, has no such destination, or refused the request.",
            NodeCommand.EXIT_USAGE
        })
abstract class DestinationCommand extends NodeCommand {

    /** The printed state of a destination that no operator has changed. */
    static final String UNCHANGED = "running";

    private final String action;

    @Parameters(
            paramLabel = "DESTINATION",
            description = "Name of the destination, as `iocluster destinations` prints it.")
    private String destination;

    DestinationCommand(Terminal terminal, String action) {
        super(terminal);
        this.action = action;
    }

    /** Adds what the action needs besides the destination's name. */
    void addTo(ObjectNode body) {}

    @Override
    final JsonNode request(AdminClient node) throws IOException, InterruptedException {
        ObjectNode body = JsonNodeFactory.instance.objectNode().put("destination", destination);
        addTo(body);
        return node.post("/api/destinations/" + action, body);
    }

    @Override
    final List<String> lines(List<NodeResponse> responses) {
        return responses.stream()
                .map(response -> PrintableText.escape(response.address() + ": " + describe(response.json())))
                .toList();
    }

    private static String describe(JsonNode json) {
        return JsonText.text(json, "name") + " " + state(json) + ", breaker " + JsonText.text(json, "breaker")
                + ", in flight " + JsonText.number(json, "inFlight") + ", waiting " + JsonText.number(json, "waiting");
    }

    /** Returns what operators have changed at the destination. */
    static String state(JsonNode destination) {
        JsonNode pause = destination.path("operatorPause");
        JsonNode limit = destination.path("operatorLimit");
        String limited = limit.isObject()
                ? "limited to"
                        + (limit.path("maxInFlight").isNumber()
                                ? " " + JsonText.number(limit, "maxInFlight") + " in flight"
                                : "")
                        + (limit.path("rate").isString() ? " " + JsonText.text(limit, "rate") : "")
                        + " until " + JsonText.text(limit, "until")
                : "";
        if (pause.isObject()) {
            return "paused until " + JsonText.text(pause, "until") + (limited.isEmpty() ? "" : ", " + limited);
        }
        return limited.isEmpty() ? UNCHANGED : limited;
    }
}
