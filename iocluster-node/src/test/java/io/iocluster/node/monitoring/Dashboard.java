package io.iocluster.node.monitoring;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A shipped dashboard in {@code docker/grafana}. Immutable. */
public final class Dashboard {

    private static final Path FOLDER =
            Path.of(System.getProperty("basedir", ".")).resolve("../docker/grafana/dashboards");

    /** Values of the variables for one cluster, all nodes and a scrape interval of one second. */
    private static final Map<String, String> VARIABLES = Map.of(
            "$job", "iocluster",
            "$instance", ".*",
            "$destination", ".*",
            "$__rate_interval", "20s",
            "$__range", "1m");

    private final String file;
    private final JsonNode json;

    private Dashboard(Path path) {
        this.file = path.getFileName().toString();
        this.json = JsonMapper.shared().readTree(path);
    }

    /** Returns the dashboard in this file. */
    public static Dashboard in(String file) {
        return new Dashboard(FOLDER.resolve(file));
    }

    /** Returns all dashboards. */
    public static List<Dashboard> all() {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.sorted().map(Dashboard::new).toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Returns the name of the file. */
    public String file() {
        return file;
    }

    /** Returns the id in the URL of the dashboard. */
    public String uid() {
        return json.get("uid").asString();
    }

    /** Returns whether the dashboard shows doors instead of nodes. */
    public boolean isOfDoors() {
        return uid().equals("iocluster-door");
    }

    /** Returns the names of the annotations, such as restarts. */
    public List<String> annotations() {
        return json.at("/annotations/list")
                .valueStream()
                .map(each -> each.get("name").asString())
                .toList();
    }

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

    /** Returns the definitions of the variables, in their order. */
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

    private PanelQuery query(JsonNode owner, String name, JsonNode target) {
        return new PanelQuery(
                file + ": " + owner.get(name).asString(),
                filled(target.get("expr").asString()),
                target.path("legendFormat").asString(""));
    }
}
