package io.iocluster.node.cli.admin;

import io.iocluster.node.cli.terminal.PrintableText;
import io.iocluster.node.cli.terminal.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Lays out the response of {@code /api/cluster} as text: the advice, a table of the nodes, and the problems. Stateless. */
final class ClusterLines {

    private ClusterLines() {}

    static List<String> of(JsonNode cluster) {
        if (!cluster.path("enabled").asBoolean(false)) {
            return List.of("The node does not announce itself and sees no other nodes: cluster.enabled is false");
        }
        List<String> lines = new ArrayList<>();
        lines.add(headline(cluster));
        lines.add("");
        lines.addAll(table(cluster).lines());
        if (namesApps(cluster)) {
            lines.add("");
            lines.addAll(apps(cluster).lines());
        }
        cluster.path("problems").forEach(problem -> {
            lines.add("");
            lines.add(PrintableText.escape(JsonText.text(problem, "severity") + ": " + JsonText.text(problem, "kind")
                    + " since " + JsonText.text(problem, "since")));
            lines.add("  " + PrintableText.escape(JsonText.text(problem, "text")));
            lines.add("  " + PrintableText.escape(JsonText.text(problem, "action")));
        });
        return lines;
    }

    private static String headline(JsonNode cluster) {
        String nodes = cluster.path("liveNodes").asInt(0) == 1
                ? "1 live node"
                : JsonText.number(cluster, "liveNodes") + " live nodes";
        if (cluster.path("outdated").asBoolean(false)) {
            return nodes + ", as last known: no announcement arrives";
        }
        JsonNode advice = cluster.path("advice");
        return advice.isObject()
                ? nodes + "; "
                        + PrintableText.escape(
                                JsonText.text(advice, "verdict") + ": " + JsonText.text(advice, "reason"))
                : nodes;
    }

    private static TextTable table(JsonNode cluster) {
        TextTable table = new TextTable(
                "NODE",
                "STATE",
                ">SEEN",
                ">UPTIME",
                ">CPU",
                ">IN FLIGHT",
                ">LIMIT",
                ">WAITING",
                ">LAG",
                ">OLDEST",
                ">CALLS/s",
                ">ERRORS",
                "CONFIGURATION",
                "VERSION",
                "ADMIN");
        cluster.path("nodes")
                .forEach(node -> table.add(
                        JsonText.text(node, "node"),
                        JsonText.text(node, "state"),
                        node.path("self").asBoolean(false) ? "asked" : JsonText.millis(node, "ageMillis") + " ago",
                        JsonText.seconds(node.path("uptimeSeconds").asLong(0)),
                        percent(node.path("cpu")),
                        JsonText.number(node, "inFlight"),
                        JsonText.number(node, "inFlightLimit"),
                        JsonText.number(node, "waiting"),
                        JsonText.number(node, "lag"),
                        JsonText.millis(node, "oldestAgeMillis"),
                        String.format(
                                Locale.ROOT, "%.0f", node.path("callsPerSecond").asDouble(0)),
                        percent(node.path("errorShare")),
                        JsonText.text(node, "configuration") + mark(node, "otherConfiguration"),
                        JsonText.text(node, "version") + mark(node, "otherVersion"),
                        JsonText.text(node, "admin")));
        return table;
    }

    private static boolean namesApps(JsonNode cluster) {
        return cluster.path("apps")
                .valueStream()
                .anyMatch(app -> !JsonText.text(app, "name").equals("unknown"));
    }

    private static TextTable apps(JsonNode cluster) {
        TextTable table =
                new TextTable("APP", ">CALLS/s", ">SHARE", ">OVER QUOTA/s", ">IN FLIGHT", ">WAITING", "NODES");
        cluster.path("apps")
                .forEach(app -> table.add(
                        JsonText.text(app, "name"),
                        perSecond(app, "callsPerSecond"),
                        percent(app.path("share")),
                        perSecond(app, "overQuotaPerSecond"),
                        JsonText.number(app, "inFlight"),
                        JsonText.number(app, "waiting"),
                        app.path("nodes").valueStream().map(JsonNode::asString).collect(Collectors.joining(", "))));
        return table;
    }

    private static String perSecond(JsonNode app, String field) {
        return String.format(Locale.ROOT, "%.1f", app.path(field).asDouble(0));
    }

    private static String mark(JsonNode node, String field) {
        return node.path(field).asBoolean(false) ? " (other)" : "";
    }

    private static String percent(JsonNode share) {
        return share.isNumber() ? Math.round(share.asDouble() * 100) + "%" : "-";
    }
}
