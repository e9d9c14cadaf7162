package io.iocluster.node.cli.admin;

import io.iocluster.node.cli.terminal.ExitCode;
import io.iocluster.node.cli.terminal.ListOptions;
import io.iocluster.node.cli.terminal.Terminal;
import io.iocluster.node.cli.terminal.TextTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;

/** Prints the apps that send calls to nodes. */
@Command(
        name = "apps",
        description =
                "Prints the apps that send calls to running nodes, the busiest first: rate, share, errors, quota.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = ExitCode.HEADING,
        exitCodeList = {NodeCommand.EXIT_OK, NodeCommand.EXIT_FAILURE, NodeCommand.EXIT_USAGE})
public final class AppsCommand extends NodeCommand {

    @Mixin
    private ListOptions list;

    public AppsCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    JsonNode request(AdminClient node) throws IOException, InterruptedException {
        return node.get("/api/apps" + list.query());
    }

    @Override
    List<String> lines(List<NodeResponse> responses) {
        TextTable table = new TextTable(
                "NODE",
                "APP",
                ">CALLS/S",
                ">SHARE",
                ">IN FLIGHT",
                ">LIMIT",
                ">WAITING",
                "RATE",
                ">ERRORS",
                ">OVER QUOTA");
        responses.forEach(response -> response.json()
                .path("apps")
                .forEach(app -> table.add(
                        response.address(),
                        JsonText.text(app, "name"),
                        String.format(
                                Locale.ROOT, "%.1f", app.path("callsPerSecond").asDouble(0)),
                        Math.round(100 * app.path("share").asDouble(0)) + "%",
                        JsonText.number(app, "inFlight"),
                        app.path("inFlightLimit").asInt(0) == 0 ? "-" : JsonText.number(app, "inFlightLimit"),
                        JsonText.number(app, "waiting"),
                        JsonText.text(app, "rate"),
                        JsonText.number(app, "errors"),
                        JsonText.number(app, "overQuota"))));
        List<String> lines = new ArrayList<>(table.lines());
        responses.forEach(response ->
                ListOptions.more(response.address(), response.json()).ifPresent(lines::add));
        return lines;
    }
}
