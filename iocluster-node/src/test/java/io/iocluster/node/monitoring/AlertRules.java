package io.iocluster.node.monitoring;

import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The rules of {@code docker/prometheus}, as they are shipped. Immutable. */
public final class AlertRules {

    private final List<JsonNode> rules = new YAMLMapper()
            .readTree(PrometheusProcess.FILES.resolve("iocluster.rules.yaml"))
            .get("groups")
            .valueStream()
            .flatMap(group -> group.get("rules").valueStream())
            .toList();

    /** Those that alert, each with {@code alert}, {@code expr}, {@code labels} and {@code annotations}. */
    public List<JsonNode> alerts() {
        return rules.stream().filter(rule -> rule.has("alert")).toList();
    }

    /** What all rules ask, those that only record included. */
    public List<String> expressions() {
        return rules.stream().map(rule -> rule.get("expr").asString()).toList();
    }

    /** The names of what is recorded. */
    public List<String> recorded() {
        return rules.stream()
                .filter(rule -> rule.has("record"))
                .map(rule -> rule.get("record").asString())
                .toList();
    }

    /** What this alert asks. */
    public String expression(String alert) {
        return alerts().stream()
                .filter(rule -> rule.get("alert").asString().equals(alert))
                .findFirst()
                .orElseThrow()
                .get("expr")
                .asString();
    }
}
