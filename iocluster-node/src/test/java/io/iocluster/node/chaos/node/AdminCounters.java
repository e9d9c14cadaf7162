package io.iocluster.node.chaos.node;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads the counters that are zero at rest from the admin API. */
final class AdminCounters {

    private AdminCounters() {}

    /**
     * Returns the counters by name.
     *
     * @param status the body of {@code /api/status}
     * @param destinations the body of {@code /api/destinations}
     */
    static Map<String, Long> of(String status, String destinations) {
        Map<String, Long> counters = new TreeMap<>();
        JsonNode node = JsonMapper.shared().readTree(status);
        List.of("inFlight", "waiting", "unconfirmed", "inFlightBytes")
                .forEach(name -> counters.put(name, node.required(name).longValue()));
        for (JsonNode worker : node.required("workers")) {
            String name = "worker." + worker.required("name").asString();
            counters.put(name + ".inFlight", worker.required("inFlight").longValue());
            counters.put(
                    name + ".activeConnections",
                    worker.required("activeConnections").longValue());
        }
        JsonNode source = node.required("source");
        counters.put("source.buffered", source.required("buffered").longValue());
        counters.put("source.lag", source.required("lag").longValue(0));
        for (JsonNode destination : JsonMapper.shared().readTree(destinations).required("destinations")) {
            String name = "destination." + destination.required("name").asString();
            counters.put(name + ".inFlight", destination.required("inFlight").longValue());
            counters.put(name + ".waiting", destination.required("waiting").longValue());
        }
        return counters;
    }
}
