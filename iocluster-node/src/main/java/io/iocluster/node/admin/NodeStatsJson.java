package io.iocluster.node.admin;

import io.iocluster.node.metrics.NodeStats;
import java.time.Duration;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Writes what was counted for {@code /api/figures}. */
final class NodeStatsJson {

    private static final double NANOS_A_MILLI = 1e6;

    private NodeStatsJson() {}

    /** The figures, and the node's own clock to divide by, which knows no delay on the way and begins anew with the node. */
    static ObjectNode of(NodeStats figures, Duration uptime) {
        ObjectNode json = AdminResponse.JSON.createObjectNode();
        json.put("uptimeMillis", uptime.toMillis());
        json.put("cpuMillis", figures.cpuTime().toMillis());
        json.put("cpus", figures.cpus());
        json.put("received", figures.received());
        json.put("acknowledged", figures.acknowledged());
        json.put("released", figures.released());
        json.put("deadLetters", figures.deadLetters());
        json.put("failures", figures.failures());
        json.put("retries", figures.retries());
        ArrayNode durations = json.putArray("durations");
        figures.durations()
                .forEach(each -> durations
                        .addObject()
                        .put("upToMillis", each.upperBoundNanos() / NANOS_A_MILLI)
                        .put("calls", each.calls()));
        return json;
    }
}
