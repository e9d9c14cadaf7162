package io.iocluster.node.monitoring;

import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The shipped rules in {@code docker/prometheus}. Immutable. */
public final class AlertRules {

    private final List<JsonNode> rules = new YAMLMapper()
            .readTree(PrometheusProcess.FILES.resolve("iocluster.rules.yaml"))
            .get("groups")
            .valueStream()
            .flatMap(group -> group.get("rules").valueStream())
            .toList();

    /** Returns the alerting rules, each with {@code alert}, {@code expr}, {@code labels} and {@code annotations}. */
    public List<JsonNode> alerts() {
        return rules.stream().filter(rule -> rule.has("alert")).toList();
    }

    /** Returns the expressions of all rules, including recording rules. */
    public List<String> expressions() {
        return rules.stream().map(rule -> rule.get("expr").asString()).toList();
    }

    /** Returns the names of the recorded series. */
    public List<String> recorded() {
        return rules.stream()
                .filter(rule -> rule.has("record"))
                .map(rule -> rule.get("record").asString())
                .toList();
    }

    /** Returns the expression of an alert. */
    public String expression(String alert) {
        return alerts().stream()
                .filter(rule -> rule.get("alert").asString().equals(alert))
                .findFirst()
                .orElseThrow()
                .get("expr")
                .asString();
    }
}
