package io.iocluster.node.admin;

import io.iocluster.node.admin.AdminRoute.Access;
import io.iocluster.node.admin.AdminRoute.AuditedAction;
import io.iocluster.pipeline.PipelineState;
import io.iocluster.status.json.StatusMapper;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Supplier;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Routes requests to the built-in paths of the API and to the routes of the node's features. Immutable. */
final class AdminApi {

    private final NodeControl node;
    private final Supplier<ObjectNode> status;

    /** By path, then by method. */
    private final Map<String, Map<String, AdminRoute>> routes = new LinkedHashMap<>();

    /**
     * Creates the API.
     *
     * @param features the routes of the node's features
     * @param sections the features' fields of {@code /api/status}, in output order
     * @param tokenRequired whether {@code admin.token} is set
     */
    AdminApi(NodeControl node, List<AdminRoute> features, List<StatusSection> sections, boolean tokenRequired) {
        this.node = node;
        this.status = () -> NodeStatus.json(node, sections, tokenRequired);
        add(AdminRoute.get("/", Access.OPEN, ConsoleFiles::page));
        add(AdminRoute.json("/livez", Access.PROBE, () -> object().put("alive", true)));
        add(AdminRoute.get("/readyz", Access.PROBE, request -> ready()));
        add(AdminRoute.get("/api/openapi.json", Access.OPEN, request -> OpenApiDocument.response()));
        add(AdminRoute.json("/api/status", Access.OPEN, status));
        add(AdminRoute.get(
                "/api/destinations",
                Access.OPEN,
                request ->
                        AdminResponse.ok(StatusMapper.object(Destinations.of(node.destinations(), request.list())))));
        add(AdminRoute.json("/api/config", Access.READER, () -> node.effectiveConfig()));
        add(AdminRoute.get("/api/threads", Access.READER, request -> ThreadDump.capture()));
        features.forEach(this::add);
        add(AdminRoute.action("PATCH", "/api/workers", new AuditedAction("resize", request -> size()), this::resize));
        post("/api/pause", new AuditedAction("pause", request -> state()), () -> {
            refuseIfDrained();
            node.pause();
        });
        post("/api/resume", new AuditedAction("resume", request -> state()), () -> {
            refuseIfDrained();
            node.resume();
        });
        post("/api/drain", new AuditedAction("drain", request -> state()), () -> node.drain());
    }

    private void add(AdminRoute route) {
        Map<String, AdminRoute> methods =
                route.method().equals("GET") ? Map.of("GET", route, "HEAD", route) : Map.of(route.method(), route);
        if (routes.putIfAbsent(route.path(), methods) != null) {
            throw new IllegalArgumentException("duplicate admin route: " + route.path());
        }
    }

    private void post(String path, AuditedAction audited, Runnable action) {
        add(AdminRoute.action("POST", path, audited, request -> {
            action.run();
            return AdminResponse.ok(status.get());
        }));
    }

    /** Returns the access that the request requires. */
    Access access(AdminRequest request) {
        Map<String, AdminRoute> methods = routes.get(request.path());
        AdminRoute read = methods == null ? null : methods.get("GET");
        if (read != null && read.access().apply(request) == Access.PROBE) {
            return Access.PROBE;
        }
        if (request.isMutating()) {
            return Access.OPERATOR;
        }
        return read == null ? Access.OPEN : read.access().apply(request);
    }

    /** Returns what the audit log records of the request; empty if the request changes nothing. */
    Optional<AuditedAction> audited(AdminRequest request) {
        AdminRoute route = routes.getOrDefault(request.path(), Map.of()).get(request.method());
        return route == null ? Optional.empty() : Optional.ofNullable(route.action());
    }

    private void refuseIfDrained() {
        PipelineState state = node.status().state();
        if (state == PipelineState.DRAINING || state == PipelineState.STOPPED) {
            throw new AdminException(
                    409, "the node is " + state.wireName() + " and cannot continue; restart its process");
        }
    }

    AdminResponse handle(AdminRequest request) {
        if (request.path().startsWith(ConsoleFile.PATH_PREFIX) && !request.isMutating()) {
            return ConsoleFiles.file(request);
        }
        Map<String, AdminRoute> methods = routes.get(request.path());
        if (methods == null) {
            return AdminResponse.error(
                    404, "no such path: " + request.path() + "; available paths: " + String.join(" ", routes.keySet()));
        }
        AdminRoute route = methods.get(request.method());
        if (route == null) {
            String allowed = String.join(", ", new TreeSet<>(methods.keySet()));
            return AdminResponse.error(405, request.path() + " supports only " + allowed)
                    .withHeader("Allow", allowed);
        }
        return route.handler().apply(request);
    }

    private AdminResponse ready() {
        String reason = Readiness.problem(node.status(), node.settings().brokerAddresses(), node.isWarmingUp());
        return reason == null
                ? AdminResponse.ok(object().put("ready", true))
                : AdminResponse.json(503, object().put("ready", false).put("reason", reason));
    }

    private ObjectNode state() {
        return object().put("state", node.status().stateName());
    }

    private AdminResponse resize(AdminRequest request) {
        WorkersPatch patch = WorkersPatch.read(request);
        refuseIfDrained();
        node.resize(patch.threads(), patch.maxInFlight());
        ObjectNode workers = object();
        workers.setAll((ObjectNode) node.effectiveConfig().get("workers"));
        return AdminResponse.ok(workers);
    }

    private ObjectNode size() {
        ObjectNode workers = (ObjectNode) node.effectiveConfig().get("workers");
        return workers.retain("threads", "max-in-flight");
    }

    private static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }
}
