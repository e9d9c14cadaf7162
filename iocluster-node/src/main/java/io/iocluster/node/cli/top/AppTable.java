package io.iocluster.node.cli.top;

import io.iocluster.node.cli.admin.JsonText;
import io.iocluster.node.cli.terminal.TextTable;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import tools.jackson.databind.JsonNode;

/** The apps that send calls, summed over the nodes of the cluster. Confined to one thread. */
final class AppTable {

    /** The name of all apps that do not name themselves. */
    private static final String UNKNOWN = "unknown";

    private static final List<String> ENDED = List.of("answered", "failed", "rejected", "expired");

    private final double seconds;
    private final Map<String, Row> rows = new HashMap<>();

    /** @param seconds the time between the two samples */
    AppTable(double seconds) {
        this.seconds = seconds;
    }

    /** Adds two responses of {@code /api/apps} from the same node. An app that is missing in the earlier one has no rates. */
    void add(JsonNode earlier, JsonNode later) {
        Map<String, JsonNode> before = new HashMap<>();
        earlier.path("apps").forEach(app -> before.put(JsonText.text(app, "name"), app));
        later.path("apps").forEach(app -> {
            Row row = rows.computeIfAbsent(JsonText.text(app, "name"), Row::new);
            row.inFlight += app.path("inFlight").asLong(0);
            row.waiting += app.path("waiting").asLong(0);
            JsonNode first = before.getOrDefault(row.name, app);
            row.calls += Math.max(0, ended(app) - ended(first));
            row.errors += Math.max(
                    0, app.path("errors").asLong(0) - first.path("errors").asLong(0));
        });
    }

    /** Adds a node that only announces its busiest apps, without their errors. */
    void addAnnounced(JsonNode node) {
        node.path("apps").forEach(app -> {
            Row row = rows.computeIfAbsent(JsonText.text(app, "name"), Row::new);
            row.inFlight += app.path("inFlight").asLong(0);
            row.waiting += app.path("waiting").asLong(0);
            row.calls += Math.round(app.path("callsPerSecond").asDouble(0) * seconds);
        });
    }

    private static long ended(JsonNode app) {
        return ENDED.stream().mapToLong(each -> app.path(each).asLong(0)).sum();
    }

    /** Returns whether no app names itself. */
    boolean isEmpty() {
        return rows.keySet().stream().allMatch(UNKNOWN::equals);
    }

    /** Returns the titles and a line for each app. */
    List<String> lines(SortKey sort, int columns) {
        TextTable table = new TextTable("APP", ">CALLS/s", ">SHARE", ">IN FLIGHT", ">WAITING", ">ERRORS/s");
        long all = rows.values().stream().mapToLong(row -> row.calls).sum();
        rows.values().stream()
                .sorted(order(sort).thenComparing(row -> row.name))
                .forEach(row -> table.add(
                        row.name,
                        TopView.format(row.calls / seconds),
                        all == 0 ? "-" : Math.round(100.0 * row.calls / all) + "%",
                        row.inFlight,
                        row.waiting,
                        TopView.format(row.errors / seconds)));
        return table.lines(columns, "WAITING");
    }

    private static Comparator<Row> order(SortKey sort) {
        return switch (sort) {
            case NAME -> Comparator.comparing(row -> row.name);
            case IN_FLIGHT -> largestFirst(row -> row.inFlight);
            case WAITING -> largestFirst(row -> row.waiting);
            case ERRORS -> largestFirst(row -> row.errors);
            case ATTEMPTS, LATENCY -> largestFirst(row -> row.calls);
        };
    }

    private static Comparator<Row> largestFirst(ToLongFunction<Row> value) {
        return Comparator.comparingLong(value).reversed();
    }

    /** The sums of one app. */
    private static final class Row {

        private final String name;
        private long calls;
        private long errors;
        private long inFlight;
        private long waiting;

        Row(String name) {
            this.name = name;
        }
    }
}
