package io.iocluster.node.monitoring;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The shipped dashboard in {@code docker/grafana}. Immutable. */
public final class Dashboard {

    private static final Path FILE =
            Path.of(System.getProperty("basedir", ".")).resolve("../docker/grafana/dashboards/iocluster.json");

    /** Values of the variables for one cluster, all nodes and a scrape interval of one second. */
    private static final Map<String, String> VARIABLES = Map.of(
            "$job", "iocluster",
            "$instance", ".*",
            "$__rate_interval", "20s",
            "$__range", "1m");

    private final JsonNode json = JsonMapper.shared().readTree(FILE);

    /**
     * A query of the dashboard.
     *
     * @param where the panel or annotation of the query
     * @param expression with a value for each variable
     * @param legend the pattern of the series' names; empty if there is none
     */
    public record PanelQuery(String where, String expression, String legend) {}

    /** Returns the queries of all panels and annotations. */
    public List<PanelQuery> queries() {
        List<PanelQuery> queries = new ArrayList<>();
        panels().forEach(panel -> panel.get("targets").forEach(target -> queries.add(query(panel, "title", target))));
        json.at("/annotations/list").forEach(annotation -> {
            if (annotation.has("expr")) {
                queries.add(query(annotation, "name", annotation));
            }
        });
        return queries;
    }

    /** Returns the panels, without headings. */
    public List<JsonNode> panels() {
        return json.get("panels")
                .valueStream()
                .filter(panel -> !panel.get("type").asString().equals("row"))
                .toList();
    }

    /** Returns the definitions of the query variables by name. */
    public List<JsonNode> variables() {
        return json.at("/templating/list").valueStream().toList();
    }

    /** Replaces the variables in an expression by values. */
    public static String filled(String expression) {
        String filled = expression;
        for (Map.Entry<String, String> variable : VARIABLES.entrySet()) {
            filled = filled.replace(variable.getKey(), variable.getValue());
        }
        return filled;
    }

    private static PanelQuery query(JsonNode owner, String name, JsonNode target) {
        return new PanelQuery(
                owner.get(name).asString(),
                filled(target.get("expr").asString()),
                target.path("legendFormat").asString(""));
    }
}
