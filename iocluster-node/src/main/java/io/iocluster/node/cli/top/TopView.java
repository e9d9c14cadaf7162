package io.iocluster.node.cli.top;

import io.iocluster.node.cli.admin.JsonText;
import io.iocluster.node.cli.terminal.PrintableText;
import io.iocluster.node.cli.terminal.TextTable;
import io.iocluster.node.cli.top.Sample.NodeSample;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Compares two samples and lays them out as text. Immutable. */
final class TopView {

    private static final JsonNode NOTHING = JsonNodeFactory.instance.objectNode();
    private static final double NANOS_PER_SECOND = 1e9;

    /** An empty line, the titles, an app and the number of further ones. */
    private static final int MIN_APP_ROWS = 4;

    private final Sample earlier;
    private final Sample later;
    private final double seconds;

    TopView(Sample earlier, Sample later) {
        this.earlier = earlier;
        this.later = later;
        this.seconds = Math.max(0.001, (later.nanos() - earlier.nanos()) / NANOS_PER_SECOND);
    }

    /** Returns all lines: nodes, destinations and apps in this order, and what the destinations answered. */
    List<String> lines(SortKey sort) {
        return lines(sort, Integer.MAX_VALUE, Integer.MAX_VALUE);
    }

    /**
     * Returns the lines that fit a screen: the most important columns, and as many destinations as leave room for some apps and codes.
     *
     * @param rows of the screen
     * @param columns of the screen
     */
    List<String> lines(SortKey sort, int rows, int columns) {
        List<String> lines = new ArrayList<>(nodes(columns));
        later.nodes().values().stream()
                .filter(node -> !node.isReachable())
                .forEach(node -> lines.add(PrintableText.escape(node.problem())));
        lines.add("");
        List<String> codes = codes();
        int left = rows - lines.size() - 1;
        List<String> apps = apps(sort, left / 3, columns);
        left -= apps.size();
        lines.addAll(limit(
                destinations(sort, columns),
                Math.max(left / 2, left - codes.size()),
                "destinations",
                furtherDestinations()));
        lines.addAll(apps);
        lines.add("");
        lines.addAll(limit(codes, rows - lines.size(), "codes"));
        return lines;
    }

    private static List<String> limit(List<String> lines, int max, String what) {
        return limit(lines, max, what, 0);
    }

    /** Returns at most this many lines; the last one says how many are missing, with {@code further} that the nodes left out. */
    private static List<String> limit(List<String> lines, int max, String what, long further) {
        if (max <= 0) {
            return List.of();
        }
        if (lines.size() <= max && further == 0) {
            return lines;
        }
        List<String> shown = new ArrayList<>(lines.subList(0, Math.min(lines.size(), max - 1)));
        shown.add("… " + (lines.size() - shown.size() + further) + " more " + what);
        return shown;
    }

    private List<String> nodes(int columns) {
        TextTable table = new TextTable(
                "NODE",
                "STATE",
                ">IN FLIGHT",
                ">LIMIT",
                ">WAITING",
                ">LAG",
                ">OLDEST",
                ">CALLS/s",
                ">FAILURES/s",
                ">CPU",
                ">P50",
                ">P99");
        later.nodes().forEach((address, node) -> {
            if (!node.isReachable()) {
                table.add(address, "unreachable", "-", "-", "-", "-", "-", "-", "-", "-", "-", "-");
                return;
            }
            JsonNode status = node.status();
            JsonNode before = before(address, NodeSample::stats);
            Durations durations = new Durations();
            durations.add(before.path("durations"), node.stats().path("durations"));
            table.add(
                    JsonText.text(status, "node"),
                    JsonText.text(status, "state"),
                    JsonText.number(status, "inFlight"),
                    JsonText.number(status, "inFlightLimit"),
                    JsonText.number(status, "waiting"),
                    JsonText.number(status.path("source"), "lag"),
                    JsonText.millis(status.path("source"), "oldestAgeMillis"),
                    format(rate(before, node.stats(), "acknowledged")),
                    format(rate(before, node.stats(), "failures")),
                    Math.round(rate(before, node.stats(), "cpuMillis")
                                    / 10
                                    / Math.max(1, node.stats().path("cpus").asInt(1)))
                            + "%",
                    JsonText.millis(durations.quantile(0.5)),
                    JsonText.millis(durations.quantile(0.99)));
        });
        addOthers(table);
        return table.lines(columns, "LIMIT", "OLDEST", "WAITING", "P50", "CPU");
    }

    /** Adds the nodes of the cluster that were not asked. Their announcements have no failures and no percentiles. */
    private void addOthers(TextTable table) {
        others().forEach(node -> table.add(
                JsonText.text(node, "node"),
                JsonText.text(node, "state"),
                JsonText.number(node, "inFlight"),
                JsonText.number(node, "inFlightLimit"),
                JsonText.number(node, "waiting"),
                JsonText.number(node, "lag"),
                JsonText.millis(node, "oldestAgeMillis"),
                format(node.path("callsPerSecond").asDouble(0)),
                "-",
                node.path("cpu").isNumber() ? Math.round(node.path("cpu").asDouble() * 100) + "%" : "-",
                "-",
                "-"));
    }

    /** Returns the announcements of the nodes that were not asked. */
    private Stream<JsonNode> others() {
        Set<String> asked = later.nodes().values().stream()
                .filter(NodeSample::isReachable)
                .map(node -> JsonText.text(node.status(), "node"))
                .collect(Collectors.toSet());
        return later.cluster().path("nodes").valueStream().filter(node -> !asked.contains(JsonText.text(node, "node")));
    }

    private List<String> destinations(SortKey sort, int columns) {
        TextTable table = new TextTable(
                "DESTINATION",
                ">IN FLIGHT",
                ">WAITING",
                ">ATTEMPTS/s",
                ">ERRORS/s",
                ">P50",
                ">P99",
                "BREAKER",
                "LAST ERROR");
        rows().stream()
                .sorted(sort.order())
                .forEach(row -> table.add(
                        row.name(),
                        row.inFlight(),
                        row.waiting(),
                        format(row.attemptRate()),
                        format(row.errorRate()),
                        JsonText.millis(row.p50Millis()),
                        JsonText.millis(row.p99Millis()),
                        row.breaker(),
                        row.lastError()));
        return table.lines(columns, "P50", "WAITING", "IN FLIGHT", "ATTEMPTS/s");
    }

    /** Returns the number of destinations that the nodes left out. */
    private long furtherDestinations() {
        return later.nodes().values().stream()
                .filter(NodeSample::isReachable)
                .mapToLong(node -> node.destinations().path("more").asLong(0))
                .sum();
    }

    private List<DestinationRow> rows() {
        Set<String> names = new LinkedHashSet<>();
        later.nodes().values().stream()
                .filter(NodeSample::isReachable)
                .forEach(node -> node.destinations()
                        .path("destinations")
                        .forEach(each -> names.add(JsonText.text(each, "name"))));
        return names.stream().map(this::row).toList();
    }

    private DestinationRow row(String name) {
        long inFlight = 0;
        long waiting = 0;
        double attempts = 0;
        double errors = 0;
        String breaker = "-";
        String lastError = "-";
        Durations durations = new Durations();
        for (Map.Entry<String, NodeSample> each : later.nodes().entrySet()) {
            if (!each.getValue().isReachable()) {
                continue;
            }
            JsonNode now = named(each.getValue().destinations(), name);
            JsonNode before = named(before(each.getKey(), NodeSample::destinations), name);
            inFlight += now.path("inFlight").asLong(0);
            waiting += now.path("waiting").asLong(0);
            attempts += rate(before, now, "attempts");
            errors += rate(before, now, "errors");
            durations.add(
                    named(before(each.getKey(), NodeSample::attempts), name).path("durations"),
                    named(each.getValue().attempts(), name).path("durations"));
            String state = JsonText.text(now, "breaker");
            breaker = breaker.equals("-") || breaker.equals("closed") ? state : breaker;
            lastError = now.path("lastError").isObject() ? JsonText.text(now.path("lastError"), "reason") : lastError;
        }
        return new DestinationRow(
                name,
                inFlight,
                waiting,
                attempts,
                errors,
                durations.quantile(0.5),
                durations.quantile(0.99),
                breaker,
                lastError);
    }

    /** Returns an empty line and the apps, if there are any and they have room. */
    private List<String> apps(SortKey sort, int rows, int columns) {
        AppTable table = new AppTable(seconds);
        later.nodes().forEach((address, node) -> {
            if (node.isReachable()) {
                table.add(before(address, NodeSample::apps), node.apps());
            }
        });
        others().forEach(table::addAnnounced);
        if (table.isEmpty() || rows < MIN_APP_ROWS) {
            return List.of();
        }
        List<String> lines = new ArrayList<>(List.of(""));
        lines.addAll(limit(table.lines(sort, columns), rows - 1, "apps"));
        return lines;
    }

    private List<String> codes() {
        Map<String, double[]> counts = new TreeMap<>();
        later.nodes().forEach((address, node) -> {
            if (node.isReachable()) {
                node.attempts().path("destinations").forEach(now -> {
                    JsonNode before = named(before(address, NodeSample::attempts), JsonText.text(now, "name"));
                    count(before.path("statuses"), now.path("statuses"), counts);
                    count(before.path("failures"), now.path("failures"), counts);
                });
            }
        });
        TextTable table = new TextTable("CODE", ">PER SECOND", ">SINCE START");
        counts.forEach((code, count) -> table.add(code, format(count[0]), Math.round(count[1])));
        return table.lines();
    }

    private void count(JsonNode before, JsonNode now, Map<String, double[]> counts) {
        now.propertyNames().forEach(code -> {
            double[] count = counts.computeIfAbsent(code, any -> new double[2]);
            count[0] += rate(before, now, code);
            count[1] += now.path(code).asLong(0);
        });
    }

    private JsonNode before(String address, java.util.function.Function<NodeSample, JsonNode> part) {
        NodeSample node = earlier.nodes().get(address);
        return node == null || !node.isReachable() ? NOTHING : part.apply(node);
    }

    private static JsonNode named(JsonNode response, String name) {
        return response.path("destinations")
                .valueStream()
                .filter(each -> JsonText.text(each, "name").equals(name))
                .findFirst()
                .orElse(NOTHING);
    }

    /** Returns the increase in a second; 0 if the counter was unknown before, or started again with the node. */
    private double rate(JsonNode before, JsonNode now, String field) {
        if (!before.path(field).isNumber() && before == NOTHING) {
            return 0;
        }
        return Math.max(0, now.path(field).asLong(0) - before.path(field).asLong(0)) / seconds;
    }

    /** Returns a rate with a digit after the point if it is small. */
    static String format(double perSecond) {
        return String.format(Locale.ROOT, perSecond < 10 ? "%.1f" : "%.0f", perSecond);
    }
}
