package io.iocluster.node.admin;

import io.iocluster.node.build.BuildInfo;
import io.iocluster.pipeline.PipelineStatus;
import io.iocluster.transport.PauseReason;
import io.iocluster.transport.SourceStatus;
import java.time.Duration;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Writes the status of the pipeline for {@code /api/status}. */
public final class StatusJson {

    private StatusJson() {}

    /**
     * Writes the whole response.
     *
     * @param sections the features' fields, in output order
     * @param tokenRequired whether {@code admin.token} is set
     */
    public static ObjectNode of(NodeControl node, List<StatusSection> sections, boolean tokenRequired) {
        ObjectNode status = of(node.id(), node.uptime(), node.status());
        sections.forEach(section -> status.set(section.field(), section.json().get()));
        return status.put("tokenRequired", tokenRequired);
    }

    static ObjectNode of(String node, Duration uptime, PipelineStatus status) {
        ObjectNode json = AdminResponse.JSON.createObjectNode();
        json.put("node", node);
        json.put("version", BuildInfo.VERSION);
        json.put("state", status.stateName());
        json.put("uptimeSeconds", uptime.toSeconds());
        json.put("transport", status.transport());
        json.put("inFlight", status.inFlight());
        json.put("inFlightLimit", status.maxInFlight());
        json.put("waiting", status.waiting());
        json.put("unconfirmed", status.unconfirmed());
        json.put("waitingAnswers", status.waitingAnswers());
        json.put("inFlightBytes", status.inFlightBytes());
        json.put("inFlightBytesLimit", status.maxInFlightBytes());
        ArrayNode workers = json.putArray("workers");
        status.workers()
                .forEach(worker -> workers.addObject()
                        .put("name", worker.name())
                        .put("inFlight", worker.inFlight())
                        .put("activeConnections", worker.activeConnections())
                        .put("idleConnections", worker.idleConnections()));
        json.put("replacedWorkers", status.replacedWorkers());
        source(status.source(), json.putObject("source"));
        return json;
    }

    private static void source(SourceStatus source, ObjectNode json) {
        json.put("connected", source.connected());
        json.put("problem", source.problem());
        ArrayNode paused = json.putArray("pauseReasons");
        source.pauseReasons().stream().map(PauseReason::wireName).sorted().forEach(paused::add);
        json.put("buffered", source.buffered());
        json.put("redelivered", source.redelivered());
        json.put("unreadableCommitMetadata", source.unreadableCommitMetadata());
        json.put("truncatedCommitMetadata", source.truncatedCommitMetadata());
        json.put("failedAcknowledgements", source.failedAcknowledgements());
        // Without a lag report, the lag is unknown and not 0.
        boolean known = !source.lags().isEmpty();
        json.put("lag", known ? Long.valueOf(source.messages()) : null);
        json.put("oldestAgeMillis", known ? oldestAgeMillis(source) : null);
        ArrayNode lags = json.putArray("lags");
        source.lags()
                .forEach(lag -> lags.addObject()
                        .put("queue", lag.queue())
                        .put("partition", lag.partition())
                        .put("messages", lag.messages())
                        .put("heldByOtherConsumers", lag.heldByOtherConsumers())
                        .put("oldestAgeMillis", lag.oldestAgeMillis())
                        .put("stale", lag.stale()));
    }

    private static Long oldestAgeMillis(SourceStatus source) {
        return source.lags().stream()
                .mapToLong(SourceStatus.Lag::oldestAgeMillis)
                .max()
                .orElse(0);
    }
}
