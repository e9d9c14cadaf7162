package io.iocluster.lab.load.metric;

import io.iocluster.node.cli.admin.AdminClient;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Reads the status and the totals of a node from its admin server. */
public final class NodeProbe implements Probe {

    /** Messages that wait in the queue. */
    static final String LAG = "lag";

    /** Age of the oldest message in the queue, in seconds. */
    static final String LAG_SECONDS = "lag-seconds";

    /** Calls in flight. */
    static final String IN_FLIGHT = "in-flight";

    /** Maximum calls in flight. */
    static final String IN_FLIGHT_LIMIT = "in-flight-limit";

    /** Calls that were read and have not started. */
    static final String WAITING = "waiting";

    /** Cores that the process has used since the previous reading. */
    static final String CPU = "cpu";

    private final AdminClient node;
    private JsonNode totalsBefore;
    private volatile Identity identity;

    /** The name and the version of a node. */
    record Identity(String id, String version) {}

    public NodeProbe(AdminClient node) {
        this.node = node;
    }

    @Override
    public String name() {
        return node.address();
    }

    @Override
    public Map<String, Double> read() throws IOException, InterruptedException {
        Map<String, Double> figures = new LinkedHashMap<>();
        JsonNode status = node.get("/api/status");
        identity = new Identity(
                status.path("node").asString(name()), status.path("version").asString("unknown"));
        put(figures, LAG, status.path("source").path("lag"), 1);
        put(figures, LAG_SECONDS, status.path("source").path("oldestAgeMillis"), 1e-3);
        put(figures, IN_FLIGHT, status.path("inFlight"), 1);
        put(figures, IN_FLIGHT_LIMIT, status.path("inFlightLimit"), 1);
        put(figures, WAITING, status.path("waiting"), 1);
        JsonNode totals = node.get("/api/stats");
        putRates(figures, totals);
        totalsBefore = totals;
        return figures;
    }

    /** Returns what the node said about itself; empty if it was never read. Thread-safe. */
    Optional<Identity> identity() {
        return Optional.ofNullable(identity);
    }

    private void putRates(Map<String, Double> figures, JsonNode totals) {
        if (totalsBefore == null) {
            return;
        }
        double millis = difference(totals, "uptimeMillis");
        // After a restart all totals start at zero.
        if (millis > 0) {
            figures.put(CPU, Math.max(0, difference(totals, "cpuMillis")) / millis);
        }
    }

    private double difference(JsonNode totals, String field) {
        return totals.path(field).asDouble(0) - totalsBefore.path(field).asDouble(0);
    }

    private static void put(Map<String, Double> figures, String name, JsonNode value, double scale) {
        if (value.isNumber()) {
            figures.put(name, value.asDouble() * scale);
        }
    }
}
