package io.iocluster.node.runtime;

import io.iocluster.node.admin.AdminException;
import io.iocluster.node.admin.AdminRequest;
import io.iocluster.node.admin.AdminResponse;
import io.iocluster.node.admin.AdminRoute;
import io.iocluster.node.admin.AdminRoute.Access;
import io.iocluster.node.admin.Apps;
import io.iocluster.node.admin.Caches;
import io.iocluster.node.admin.Destinations;
import io.iocluster.node.admin.ListQuery;
import io.iocluster.node.admin.NodeStatus;
import io.iocluster.node.admin.StatusSection;
import io.iocluster.node.admin.Upstreams;
import io.iocluster.node.cluster.ClusterMember;
import io.iocluster.node.cluster.ClusterReport;
import io.iocluster.node.config.ActionSettings;
import io.iocluster.node.config.AdminSettings;
import io.iocluster.node.events.EventPart;
import io.iocluster.node.events.EventStreams;
import io.iocluster.node.events.EventTiming;
import io.iocluster.node.events.EventsRoute;
import io.iocluster.node.history.HistoryJson;
import io.iocluster.node.history.HistoryRecorder;
import io.iocluster.node.logging.LogLevels;
import io.iocluster.node.metrics.DestinationAttempts;
import io.iocluster.node.metrics.NodeMetrics;
import io.iocluster.node.metrics.NodeMetrics.Exposition;
import io.iocluster.node.metrics.NodeStats;
import io.iocluster.node.problem.ProblemMonitor;
import io.iocluster.node.tap.CallTaps;
import io.iocluster.node.tap.TapRoute;
import io.iocluster.node.tuning.Advisor;
import io.iocluster.node.window.RecentFailures;
import io.iocluster.pipeline.Pipeline;
import io.iocluster.pipeline.PipelineState;
import io.iocluster.status.json.StatusMapper;
import io.iocluster.thread.Platform;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.StringNode;

/** Lists the routes and status fields that the features of a node add to its admin API. Immutable. */
final class NodeRoutes {

    /** Ticks between two reads of a part that changes slowly, or that is large. */
    private static final int SLOW = 2;

    /** Ticks between two samples of the history. */
    private static final int ONE_SAMPLE = 5;

    private final Node node;
    private final Pipeline pipeline;
    private final NodeMetrics metrics;
    private final CallTaps taps;
    private final Advisor advisor;
    private final ProblemMonitor problems;
    private final HistoryRecorder history;
    private final ClusterMember cluster;
    private final LogLevels logLevels;
    private final Platform platform;

    NodeRoutes(
            Node node,
            Pipeline pipeline,
            NodeMetrics metrics,
            CallTaps taps,
            Advisor advisor,
            ProblemMonitor problems,
            HistoryRecorder history,
            ClusterMember cluster,
            LogLevels logLevels,
            Platform platform) {
        this.node = node;
        this.pipeline = pipeline;
        this.metrics = metrics;
        this.taps = taps;
        this.advisor = advisor;
        this.problems = problems;
        this.history = history;
        this.cluster = cluster;
        this.logLevels = logLevels;
        this.platform = platform;
    }

    /** Returns all routes. */
    List<AdminRoute> all() {
        List<AdminRoute> all = new ArrayList<>(List.of(
                AdminRoute.get("/metrics", Access.OPEN, this::scrape),
                AdminRoute.json("/api/stats", Access.OPEN, this::stats),
                AdminRoute.json("/api/attempts", Access.OPEN, this::attempts),
                AdminRoute.get("/api/history", Access.OPEN, this::history),
                AdminRoute.get("/api/apps", Access.OPEN, this::apps),
                AdminRoute.json("/api/caches", Access.OPEN, this::caches),
                AdminRoute.json("/api/upstreams", Access.OPEN, this::upstreams),
                AdminRoute.json("/api/failures", Access.READER, this::failures),
                TapRoute.of(taps),
                AdminRoute.json("/api/tuning", Access.OPEN, this::tuning),
                AdminRoute.json("/api/cluster", Access.OPEN, this::cluster),
                EventsRoute.of(events())));
        all.addAll(new DestinationActions(pipeline::destinations, pipeline::apply, this::actions).routes());
        all.addAll(new LogLevelActions(logLevels, this::actions).routes());
        return all;
    }

    /** Returns the fields of {@code /api/status}, in output order. */
    List<StatusSection> sections() {
        return List.of(
                new StatusSection("problems", () -> StatusMapper.tree(problems.reported())),
                new StatusSection("configuration", () -> StatusMapper.object(node.configuration())),
                new StatusSection("logLevels", () -> new LogLevelActions(logLevels, this::actions).json()),
                new StatusSection("consul", this::consul),
                new StatusSection(
                        "docsUrl",
                        () -> StringNode.valueOf(node.settings().admin().docsUrl())));
    }

    /** Returns the streams of what the console shows. The last part changes at each tick, so a client can use it as a clock. */
    private EventStreams events() {
        AdminSettings admin = node.settings().admin();
        List<StatusSection> sections = sections();
        boolean tokenRequired = !admin.token().isEmpty();
        List<EventPart> parts = List.of(
                EventPart.open("attempts", SLOW, this::attempts),
                EventPart.open(
                        "destinations",
                        SLOW,
                        () -> StatusMapper.object(Destinations.of(node.destinations(), ListQuery.DEFAULT))),
                EventPart.open("apps", SLOW, () -> StatusMapper.object(Apps.of(node.apps(), ListQuery.DEFAULT))),
                EventPart.open("caches", SLOW, this::caches),
                EventPart.open("upstreams", SLOW, this::upstreams),
                EventPart.sensitive("failures", SLOW, this::failures),
                EventPart.open("tuning", SLOW, this::tuning),
                EventPart.open("cluster", SLOW, this::cluster),
                EventPart.open("history", ONE_SAMPLE, () -> HistoryJson.latest(history)),
                EventPart.open("status", 1, () -> NodeStatus.json(node, sections, tokenRequired)),
                EventPart.open("stats", 1, this::stats));
        return new EventStreams(
                parts,
                admin.maxEventStreams(),
                () -> node.status().state() == PipelineState.STOPPED,
                EventTiming.DEFAULT,
                platform);
    }

    private JsonNode stats() {
        return StatusMapper.object(new NodeStats.Timed(node.uptime(), metrics.stats()));
    }

    private JsonNode attempts() {
        return StatusMapper.object(new DestinationAttempts.All(metrics.attempts()));
    }

    private JsonNode caches() {
        return StatusMapper.object(new Caches(pipeline.caches(), pipeline.sharedCache()));
    }

    private JsonNode upstreams() {
        return StatusMapper.object(Upstreams.of(node.upstreams()));
    }

    private JsonNode failures() {
        return StatusMapper.object(
                new RecentFailures.All(metrics.recentFailures().groups()));
    }

    private JsonNode tuning() {
        return StatusMapper.object(advisor.status());
    }

    private JsonNode cluster() {
        return StatusMapper.object(ClusterReport.of(cluster));
    }

    private JsonNode consul() {
        return StatusMapper.tree(node.consul().orElse(null));
    }

    private ActionSettings actions() {
        return node.settings().admin().actions();
    }

    private AdminResponse apps(AdminRequest request) {
        return AdminResponse.ok(StatusMapper.object(Apps.of(node.apps(), request.list())));
    }

    private AdminResponse history(AdminRequest request) {
        String since = request.query().get("since", "0");
        if (!since.matches("\\d{1,18}")) {
            throw new AdminException(400, "since must be a time in milliseconds since the epoch: " + since);
        }
        long sinceMillis = Long.parseLong(since);
        String destination = request.query().get("destination");
        return AdminResponse.ok(
                destination == null
                        ? HistoryJson.of(history, sinceMillis)
                        : HistoryJson.of(history, destination, sinceMillis));
    }

    private AdminResponse scrape(AdminRequest request) {
        Exposition exposition = metrics.scrape(node.status(), node.destinations(), request.header("Accept"));
        return new AdminResponse(200, exposition.contentType(), exposition.text(), Map.of());
    }
}
