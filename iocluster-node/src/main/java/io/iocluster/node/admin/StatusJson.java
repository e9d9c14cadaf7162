package io.iocluster.node.admin;

import io.iocluster.node.reload.ConfigurationStatus;
import io.iocluster.node.reload.ConfigurationStatus.Reload;
import io.iocluster.pipeline.PipelineState;
import io.iocluster.pipeline.PipelineStatus;
import io.iocluster.transport.PauseReason;
import io.iocluster.transport.SourceStatus;
import java.time.Duration;
import java.util.Objects;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Writes a node's status for {@code /api/status}. */
final class StatusJson {

    private StatusJson() {}

    static ObjectNode of(String node, Duration uptime, PipelineStatus status, ConfigurationStatus configuration) {
        ObjectNode json = AdminResponse.JSON.createObjectNode();
        json.put("node", node);
        json.put("state", state(status));
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
        configuration(configuration, json.putObject("configuration"));
        return json;
    }

    private static void configuration(ConfigurationStatus configuration, ObjectNode json) {
        json.put("file", Objects.toString(configuration.file(), null));
        json.put("differs", configuration.differs());
        json.put("applied", configuration.applied());
        json.put("refused", configuration.refused());
        Reload last = configuration.lastReload();
        if (last == null) {
            json.putNull("lastReload");
        } else {
            ObjectNode reload = json.putObject("lastReload");
            reload.put("at", last.at().toString());
            reload.put("result", last.isRefused() ? "refused" : "applied");
            ArrayNode errors = reload.putArray("errors");
            last.errors().forEach(errors::add);
        }
        ArrayNode waiting = json.putArray("restartNeeded");
        configuration.restartNeeded().forEach(waiting::add);
    }

    private static String state(PipelineStatus status) {
        boolean paused = status.source().pauseReasons().contains(PauseReason.OPERATOR);
        return paused && status.state() == PipelineState.RUNNING
                ? "paused"
                : status.state().wireName();
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
        // Where nothing was ever seen, nothing is not known to wait.
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
