package io.iocluster.node.metrics;

import io.iocluster.node.metrics.NodeStats.DurationBucket;
import java.time.Duration;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Writes the response of {@code /api/stats}. */
public final class NodeStatsJson {

    private static final double NANOS_PER_MILLI = 1e6;

    private NodeStatsJson() {}

    /** Writes the counters and the node's uptime, which clients divide by. Both start at zero with the process. */
    public static ObjectNode of(NodeStats stats, Duration uptime) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("uptimeMillis", uptime.toMillis());
        json.put("cpuMillis", stats.cpuTime().toMillis());
        json.put("cpus", stats.cpus());
        json.put("received", stats.received());
        json.put("acknowledged", stats.acknowledged());
        json.put("released", stats.released());
        json.put("deadLetters", stats.deadLetters());
        json.put("failures", stats.failures());
        json.put("retries", stats.retries());
        putDurations(json.putArray("durations"), stats.durations());
        return json;
    }

    static void putDurations(ArrayNode json, List<DurationBucket> durations) {
        durations.forEach(each -> json.addObject()
                .put("upToMillis", each.upperBoundNanos() / NANOS_PER_MILLI)
                .put("calls", each.calls()));
    }
}
