package io.iocluster.node.cli.admin;

import io.iocluster.node.cli.terminal.ExitCode;
import io.iocluster.node.cli.terminal.Terminal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** Sends one request to each selected node and prints the responses together. Continues if a node does not answer. */
abstract class NodeCommand implements Callable<Integer> {

    static final String EXIT_OK = "0:Every node answered.";
    static final String EXIT_FAILURE = "1:A node cannot be reached, or refused the request.";
    static final String EXIT_USAGE = "2:The command line is wrong.";

    private final Terminal terminal;

    @Mixin
    private AdminOptions admin;

    @Option(names = "--json", description = "Prints the response of each node as one line of JSON, for scripts.")
    private boolean json;

    NodeCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    /** The response of one node. */
    record NodeResponse(String address, JsonNode json) {}

    /** Sends the request to a node. */
    abstract JsonNode request(AdminClient node) throws IOException, InterruptedException;

    /** Returns the lines to print without {@code --json}. */
    abstract List<String> lines(List<NodeResponse> responses);

    /** Returns the exit code if all nodes answered. */
    int exitCode(List<NodeResponse> responses) {
        return ExitCode.OK;
    }

    @Override
    public final Integer call() throws IOException, InterruptedException {
        checkArguments();
        List<NodeResponse> responses = new ArrayList<>();
        int problemCode = ExitCode.OK;
        for (AdminClient node : admin.clients(terminal.environment())) {
            try {
                responses.add(new NodeResponse(node.address(), request(node)));
            } catch (IOException problem) {
                terminal.err().println("iocluster: " + problem.getMessage());
                int code = problem instanceof RefusedValueException ? ExitCode.USAGE : ExitCode.FAILURE;
                problemCode = Math.max(problemCode, code);
            }
        }
        if (json) {
            responses.forEach(response -> terminal.out().println(JsonText.line(response.json())));
        } else if (!responses.isEmpty()) {
            lines(responses).forEach(terminal.out()::println);
        }
        return problemCode == ExitCode.OK ? exitCode(responses) : problemCode;
    }

    /** Refuses arguments that no node accepts. */
    void checkArguments() {}
}
