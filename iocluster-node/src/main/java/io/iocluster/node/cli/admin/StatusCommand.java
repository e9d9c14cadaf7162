package io.iocluster.node.cli.admin;

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

/** Prints the state and the problems of nodes. */
@Command(
        name = "status",
        description = "Prints the state of running nodes and what is wrong with them, or all nodes of their cluster.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = ExitCode.HEADING,
        exitCodeList = {
            "0:Every node answered, and there is no problem of severity bad.",
            NodeCommand.EXIT_FAILURE,
            NodeCommand.EXIT_USAGE,
            "3:A node, or with --cluster the cluster, has a problem of severity bad."
        })
public final class StatusCommand extends NodeCommand {

    @Option(
            names = "--cluster",
            description =
                    "Prints all nodes of the cluster, as the asked node sees them, and what would help all of them.")
    private boolean cluster;

    public StatusCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    JsonNode request(AdminClient node) throws IOException, InterruptedException {
        return node.get(cluster ? "/api/cluster" : "/api/status");
    }

    @Override
    int exitCode(List<NodeResponse> responses) {
        boolean bad = responses.stream()
                .anyMatch(response -> response.json()
                        .path("problems")
                        .valueStream()
                        .anyMatch(
                                problem -> problem.path("severity").asString("").equals("bad")));
        return bad ? ExitCode.UNHEALTHY : ExitCode.OK;
    }

    @Override
    List<String> lines(List<NodeResponse> responses) {
        return cluster
                ? responses.stream()
                        .flatMap(response -> ClusterLines.of(response.json()).stream())
                        .toList()
                : nodeLines(responses);
    }

    private static List<String> nodeLines(List<NodeResponse> responses) {
        TextTable table = new TextTable(
                "NODE",
                "STATE",
                ">UPTIME",
                "BROKER",
                ">IN FLIGHT",
                ">LIMIT",
                ">WAITING",
                ">UNCONFIRMED",
                ">LAG",
                ">OLDEST",
                ">WORKERS",
                "VERSION");
        responses.stream()
                .map(NodeResponse::json)
                .forEach(status -> table.add(
                        JsonText.text(status, "node"),
                        JsonText.text(status, "state"),
                        JsonText.seconds(status.path("uptimeSeconds").asLong(0)),
                        JsonText.text(status, "transport")
                                + (status.at("/source/connected").asBoolean(false) ? "" : " (not connected)"),
                        JsonText.number(status, "inFlight"),
                        JsonText.number(status, "inFlightLimit"),
                        JsonText.number(status, "waiting"),
                        JsonText.number(status, "unconfirmed"),
                        JsonText.number(status.path("source"), "lag"),
                        JsonText.millis(status.path("source"), "oldestAgeMillis"),
                        status.path("workers").size(),
                        JsonText.text(status, "version")));
        List<String> lines = new ArrayList<>(table.lines());
        responses.forEach(response -> response.json().path("problems").forEach(problem -> {
            lines.add("");
            lines.add(PrintableText.escape(
                    JsonText.text(response.json(), "node") + ": " + JsonText.text(problem, "severity") + ": "
                            + JsonText.text(problem, "kind") + " since " + JsonText.text(problem, "since")));
            lines.add("  " + PrintableText.escape(JsonText.text(problem, "text")));
            lines.add("  " + PrintableText.escape(JsonText.text(problem, "action")));
        }));
        return lines;
    }
}
