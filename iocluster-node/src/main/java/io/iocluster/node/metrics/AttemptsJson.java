package io.iocluster.node.metrics;

import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Writes the response of {@code /api/attempts}. */
public final class AttemptsJson {

    private AttemptsJson() {}

    public static ObjectNode of(List<DestinationAttempts> destinations) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        ArrayNode all = json.putArray("destinations");
        destinations.forEach(each -> {
            ObjectNode destination = all.addObject().put("name", each.destination());
            putCounts(destination.putObject("statuses"), each.statuses());
            putCounts(destination.putObject("failures"), each.failures());
            putCounts(destination.putObject("unusable"), each.unusable());
            putCounts(destination.putObject("hedges"), each.hedges());
            destination.put("redelivered", each.redelivered());
            NodeStatsJson.putDurations(destination.putArray("durations"), each.durations());
        });
        return json;
    }

    private static void putCounts(ObjectNode json, Map<String, Long> counts) {
        counts.forEach((value, count) -> json.put(value, count));
    }
}
