package io.iocluster.node.problem;

import io.iocluster.node.problem.ProblemMonitor.OpenProblem;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Writes the problems of a node for {@code /api/status}. */
public final class ProblemsJson {

    private ProblemsJson() {}

    public static ArrayNode of(List<OpenProblem> problems) {
        ArrayNode json = JsonNodeFactory.instance.arrayNode();
        problems.stream()
                .limit(ProblemMonitor.MAX_REPORTED)
                .forEach(each -> json.addObject()
                        .put("kind", each.problem().kind().wireName())
                        .put("severity", each.problem().severity().wireName())
                        .put("subject", each.problem().subject())
                        .put("text", each.problem().text())
                        .put("action", each.problem().action())
                        .put("since", each.since().toString()));
        return json;
    }
}
