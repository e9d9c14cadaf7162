package io.iocluster.door.status;

import io.iocluster.door.status.DoorStatus.AppRow;
import io.iocluster.door.status.DoorUsage.Usage;
import java.util.Locale;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Writes the response of {@code GET /v1/status}. Stateless. */
public final class DoorStatusJson {

    private DoorStatusJson() {}

    /** Returns the status as a JSON object. */
    public static ObjectNode of(DoorStatus status) {
        ObjectNode json = JsonNodeFactory.instance
                .objectNode()
                .put("door", status.door().id())
                .put("version", status.door().version())
                .put("transport", status.door().transport())
                .put("state", status.state().name().toLowerCase(Locale.ROOT).replace('_', '-'))
                .put("problem", status.problem())
                .put("startedAt", status.startedAt().toString())
                .put("uptimeSeconds", status.uptimeSeconds());
        DoorUsage usage = status.usage();
        json.set("inFlight", usage(usage.inFlight()));
        json.set("bodyBytes", usage(usage.bodyBytes()));
        json.set("keptAnswers", usage(usage.keptAnswers()));
        json.set("keptBytes", usage(usage.keptBytes()));
        json.set("streams", usage(usage.streams()));
        json.set("waiting", usage(usage.waiting()));
        json.set("unreadBytes", usage(usage.unreadBytes()));
        status.spool()
                .ifPresent(spool -> json.putObject("spool")
                        .put("oldestSeconds", spool.oldestSeconds())
                        .set("calls", usage(new Usage(spool.calls(), spool.maxCalls())))
                        .set("bytes", usage(new Usage(spool.bytes(), spool.maxBytes()))));
        ArrayNode apps = json.putArray("apps");
        status.apps().forEach(app -> apps.add(app(app)));
        return json;
    }

    private static ObjectNode usage(Usage usage) {
        return JsonNodeFactory.instance.objectNode().put("used", usage.used()).put("limit", usage.limit());
    }

    private static ObjectNode app(AppRow app) {
        ObjectNode json = JsonNodeFactory.instance
                .objectNode()
                .put("name", app.name())
                .put("configured", app.configured())
                .put("inFlight", app.inFlight())
                .put("inFlightLimit", app.inFlightLimit())
                .put("callsPerSecond", Math.round(app.callsPerSecond() * 10) / 10.0)
                .put("rateLimit", app.rateLimit())
                .put("calls", app.calls())
                .put("keptAnswers", app.keptAnswers())
                .put("keptBytes", app.keptBytes())
                .put("streams", app.streams())
                .put("problemsTotal", app.problemsTotal());
        ArrayNode problems = json.putArray("problems");
        app.problems()
                .forEach(problem -> problems.addObject()
                        .put("code", problem.code())
                        .put("recent", problem.recent())
                        .put("last", problem.last().toString()));
        return json;
    }
}
