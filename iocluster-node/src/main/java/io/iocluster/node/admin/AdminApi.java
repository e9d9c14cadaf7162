package io.iocluster.node.admin;

import io.iocluster.node.metrics.NodeMetrics;
import io.iocluster.node.metrics.NodeMetrics.Exposition;
import io.iocluster.pipeline.PipelineState;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import tools.jackson.databind.node.ObjectNode;

/** The calls that the admin server answers, by path and method. Immutable. */
final class AdminApi {

    /** What is read for support and says more than figures do: of messages, of other systems, of the inside. */
    private static final Set<String> FOR_OPERATORS = Set.of("/api/config", "/api/failures", "/api/threads");

    private static final Set<String> PROBES = Set.of("/livez", "/readyz");

    private final NodeControl node;
    private final NodeMetrics metrics;
    private final boolean tokenRequired;
    private final Map<String, Map<String, Function<AdminRequest, AdminResponse>>> routes = new LinkedHashMap<>();

    AdminApi(NodeControl node, NodeMetrics metrics, boolean tokenRequired) {
        this.node = node;
        this.metrics = metrics;
        this.tokenRequired = tokenRequired;
        get("/", ConsoleFiles::page);
        get("/livez", request -> AdminResponse.ok(object().put("alive", true)));
        get("/readyz", request -> ready());
        get("/metrics", this::metrics);
        get("/api/openapi.json", request -> OpenApiDocument.response());
        get("/api/status", request -> status());
        get("/api/stats", request -> AdminResponse.ok(NodeStatsJson.of(metrics.stats(), node.uptime())));
        get("/api/failures", request -> AdminResponse.ok(FailuresJson.of(metrics.recentFailures())));
        get("/api/threads", request -> ThreadDump.capture());
        get("/api/destinations", request -> AdminResponse.ok(DestinationsJson.of(node.destinations())));
        get("/api/config", request -> AdminResponse.ok(node.effectiveConfig()));
        get("/api/tuning", request -> AdminResponse.ok(TuningJson.of(node.tuning())));
        routes.put("/api/workers", Map.of("PATCH", this::resize));
        post("/api/pause", () -> {
            refuseIfDrained();
            node.pause();
        });
        post("/api/resume", () -> {
            refuseIfDrained();
            node.resume();
        });
        post("/api/drain", node::drain);
    }

    /** Returns whether the path is a probe's. A probe shows only the node's health, and is always answered. */
    static boolean isProbe(String path) {
        return PROBES.contains(path);
    }

    /** Whether a call changes something, or reads what not everybody should who can reach the node. */
    static boolean isForOperators(AdminRequest request) {
        return request.isMutating() || FOR_OPERATORS.contains(request.path());
    }

    private void get(String path, Function<AdminRequest, AdminResponse> answer) {
        routes.put(path, Map.of("GET", answer, "HEAD", answer));
    }

    private void post(String path, Runnable action) {
        routes.put(path, Map.of("POST", request -> {
            action.run();
            return status();
        }));
    }

    private void refuseIfDrained() {
        PipelineState state = node.status().state();
        if (state == PipelineState.DRAINING || state == PipelineState.STOPPED) {
            throw new AdminException(
                    409, "the node is " + state.wireName() + " and does not begin again; start its process anew");
        }
    }

    AdminResponse handle(AdminRequest request) {
        if (request.path().startsWith(ConsoleFiles.PATH_PREFIX) && !request.isMutating()) {
            return ConsoleFiles.file(request);
        }
        Map<String, Function<AdminRequest, AdminResponse>> methods = routes.get(request.path());
        if (methods == null) {
            return AdminResponse.error(
                    404, "no such path: " + request.path() + "; there are " + String.join(" ", routes.keySet()));
        }
        Function<AdminRequest, AdminResponse> route = methods.get(request.method());
        if (route == null) {
            String allowed = String.join(", ", new TreeSet<>(methods.keySet()));
            return AdminResponse.error(405, request.path() + " takes " + allowed)
                    .withHeader("Allow", allowed);
        }
        return route.apply(request);
    }

    /** The methods that each path takes. */
    Map<String, Set<String>> routes() {
        Map<String, Set<String>> all = new TreeMap<>();
        routes.forEach((path, methods) -> all.put(path, methods.keySet()));
        return all;
    }

    private AdminResponse ready() {
        String reason = Readiness.problem(node.status());
        return reason == null
                ? AdminResponse.ok(object().put("ready", true))
                : AdminResponse.json(503, object().put("ready", false).put("reason", reason));
    }

    private AdminResponse metrics(AdminRequest request) {
        Exposition exposition = metrics.scrape(node.status(), node.destinations(), request.header("Accept"));
        return new AdminResponse(200, exposition.contentType(), exposition.text(), Map.of());
    }

    private AdminResponse status() {
        ObjectNode status = StatusJson.of(node.id(), node.uptime(), node.status(), node.configuration());
        status.set("consul", ConsulJson.of(node.consul()));
        status.put("tokenRequired", tokenRequired);
        return AdminResponse.ok(status);
    }

    private AdminResponse resize(AdminRequest request) {
        WorkersPatch patch = WorkersPatch.read(request);
        refuseIfDrained();
        node.resize(patch.threads(), patch.maxInFlight());
        ObjectNode workers = object();
        workers.setAll((ObjectNode) node.effectiveConfig().get("workers"));
        return AdminResponse.ok(workers);
    }

    private static ObjectNode object() {
        return AdminResponse.JSON.createObjectNode();
    }
}
