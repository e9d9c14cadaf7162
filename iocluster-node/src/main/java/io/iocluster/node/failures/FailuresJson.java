package io.iocluster.node.failures;

import io.iocluster.node.failures.RecentFailures.FailureGroup;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Writes the response of {@code /api/failures}. */
public final class FailuresJson {

    private FailuresJson() {}

    public static ObjectNode of(RecentFailures recent) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        ArrayNode groups = json.putArray("groups");
        recent.groups().forEach(group -> write(group, groups.addObject()));
        return json;
    }

    private static void write(FailureGroup group, ObjectNode json) {
        json.put("destination", group.destination());
        json.put("code", group.code().wireName());
        json.put("count", group.count());
        json.put("first", group.first().toString());
        json.put("last", group.last().toString());
        ArrayNode latest = json.putArray("latest");
        group.latest()
                .forEach(call -> latest.addObject()
                        .put("at", call.at().toString())
                        .put("id", call.id())
                        .put("message", call.message())
                        .put("attempts", call.attempts()));
    }
}
