package io.iocluster.node.cli.admin;

import io.iocluster.node.cli.terminal.ActionDuration;
import io.iocluster.node.cli.terminal.ExitCode;
import io.iocluster.node.cli.terminal.PrintableText;
import io.iocluster.node.cli.terminal.Terminal;
import io.iocluster.node.cli.terminal.TextTable;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Changes the level of a logger of nodes for a time, or prints the levels that operators set. */
@Command(
        name = "log-level",
        description =
                "Changes the level of a logger of running nodes for a time. Without arguments it prints the levels that"
                        + " operators set.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = ExitCode.HEADING,
        exitCodeList = {
            "0:Every node has done it.",
            "1:A node cannot be reached, has no such logger, or refused the request.",
            NodeCommand.EXIT_USAGE
        })
public final class LogLevelCommand extends NodeCommand {

    @Spec
    private CommandSpec spec;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "LOGGER",
            description = "A package or class, such as io.iocluster.destination, or root.")
    private String logger;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "LEVEL",
            description = "error, warn, info, debug, trace, or default for the level of the configuration.")
    private String level;

    @Mixin
    private ActionDuration duration;

    public LogLevelCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    void checkArguments() {
        if (logger != null && level == null) {
            throw new ParameterException(spec.commandLine(), "LEVEL is missing");
        }
    }

    @Override
    JsonNode request(AdminClient node) throws IOException, InterruptedException {
        if (logger == null) {
            return node.get("/api/status");
        }
        ObjectNode body =
                JsonNodeFactory.instance.objectNode().put("logger", logger).put("level", level);
        duration.addTo(body);
        return node.post("/api/log-levels", body);
    }

    @Override
    List<String> lines(List<NodeResponse> responses) {
        if (logger == null) {
            TextTable table = new TextTable("NODE", "LOGGER", "LEVEL", "UNTIL");
            responses.forEach(response -> response.json()
                    .path("logLevels")
                    .forEach(each -> table.add(
                            response.address(),
                            JsonText.text(each, "logger"),
                            JsonText.text(each, "level"),
                            JsonText.text(each, "until"))));
            return table.lines();
        }
        return responses.stream()
                .map(response ->
                        PrintableText.escape(response.address() + ": " + JsonText.text(response.json(), "logger")
                                + " is " + JsonText.text(response.json(), "level")
                                + (response.json().path("until").isString()
                                        ? " until " + JsonText.text(response.json(), "until")
                                        : "")))
                .toList();
    }
}
