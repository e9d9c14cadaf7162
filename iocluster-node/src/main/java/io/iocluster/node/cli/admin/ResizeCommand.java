package io.iocluster.node.cli.admin;

import io.iocluster.node.cli.terminal.ExitCode;
import io.iocluster.node.cli.terminal.Terminal;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Resizes the workers of nodes. */
@Command(
        name = "resize",
        description = "Changes the size of running nodes at once. The size stays until the workers section of the"
                + " configuration changes, or until a restart.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = ExitCode.HEADING,
        exitCodeList = {"0:Every node has the new size.", NodeCommand.EXIT_FAILURE, NodeCommand.EXIT_USAGE})
public final class ResizeCommand extends NodeCommand {

    @Spec
    private CommandSpec spec;

    @Option(names = "--threads", paramLabel = "N", description = "Event loops; 0: one for each core.")
    private Integer threads;

    @Option(names = "--max-in-flight", paramLabel = "N", description = "Maximum number of calls in flight.")
    private Integer maxInFlight;

    public ResizeCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    void checkArguments() {
        if (threads == null && maxInFlight == null) {
            throw new ParameterException(spec.commandLine(), "--threads or --max-in-flight is missing");
        }
    }

    @Override
    JsonNode request(AdminClient node) throws IOException, InterruptedException {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        if (threads != null) {
            body.put("threads", threads);
        }
        if (maxInFlight != null) {
            body.put("max-in-flight", maxInFlight);
        }
        return node.patch("/api/workers", body);
    }

    @Override
    List<String> lines(List<NodeResponse> responses) {
        return responses.stream()
                .map(response -> response.address() + ": threads=" + JsonText.number(response.json(), "threads")
                        + " max-in-flight=" + JsonText.number(response.json(), "max-in-flight"))
                .toList();
    }
}
