package io.iocluster.node.admin;

import io.iocluster.destination.DestinationStatus;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Writes the response of {@code /api/destinations}. */
final class DestinationsJson {

    private DestinationsJson() {}

    static ObjectNode of(List<DestinationStatus> destinations) {
        ObjectNode json = AdminResponse.JSON.createObjectNode();
        ArrayNode all = json.putArray("destinations");
        destinations.forEach(each -> all.addObject()
                .put("name", each.name())
                .put("inFlight", each.inFlight())
                .put("inFlightLimit", each.limit())
                .put("attempts", each.attempts())
                .put("rate", each.rate().toString())
                .put("waiting", each.waiting())
                .put("breaker", each.breaker().wireName())
                .put("retryBudgetExhausted", each.retryBudgetExhausted())
                .put("pausedMillis", each.pausedFor().toMillis()));
        return json;
    }
}
