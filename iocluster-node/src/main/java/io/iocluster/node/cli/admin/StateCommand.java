package io.iocluster.node.cli.admin;

import io.iocluster.node.cli.terminal.PrintableText;
import io.iocluster.node.cli.terminal.Terminal;
import java.io.IOException;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Changes whether nodes read messages, and prints their new state. */
abstract class StateCommand extends NodeCommand {

    private final String path;

    StateCommand(Terminal terminal, String path) {
        super(terminal);
        this.path = path;
    }

    @Override
    final JsonNode request(AdminClient node) throws IOException, InterruptedException {
        return node.post(path);
    }

    @Override
    final List<String> lines(List<NodeResponse> responses) {
        return responses.stream()
                .map(response ->
                        PrintableText.escape(response.address() + ": " + JsonText.text(response.json(), "node") + " is "
                                + JsonText.text(response.json(), "state") + ", in flight "
                                + JsonText.number(response.json(), "inFlight")))
                .toList();
    }
}
