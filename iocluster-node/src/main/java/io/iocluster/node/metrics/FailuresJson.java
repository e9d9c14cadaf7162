package io.iocluster.node.metrics;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Writes the response of {@code /api/failures}. */
public final class FailuresJson {

    private FailuresJson() {}

    public static ObjectNode of(RecentFailures recent) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        ArrayNode failures = json.putArray("failures");
        recent.latest()
                .forEach(each -> failures.addObject()
                        .put("at", each.at().toString())
                        .put("id", each.id())
                        .put("destination", each.destination())
                        .put("code", each.code().wireName())
                        .put("message", each.message())
                        .put("attempts", each.attempts()));
        ArrayNode counts = json.putArray("counts");
        recent.counts()
                .forEach(each -> counts.addObject()
                        .put("destination", each.destination())
                        .put("code", each.code().wireName())
                        .put("count", each.count()));
        return json;
    }
}
