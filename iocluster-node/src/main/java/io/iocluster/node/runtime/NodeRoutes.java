package io.iocluster.node.runtime;

import io.iocluster.node.action.DestinationActions;
import io.iocluster.node.admin.AdminRequest;
import io.iocluster.node.admin.AdminResponse;
import io.iocluster.node.admin.AdminRoute;
import io.iocluster.node.admin.AdminRoute.Access;
import io.iocluster.node.failures.FailuresJson;
import io.iocluster.node.metrics.AttemptsJson;
import io.iocluster.node.metrics.NodeMetrics;
import io.iocluster.node.metrics.NodeMetrics.Exposition;
import io.iocluster.node.metrics.NodeStatsJson;
import io.iocluster.node.tuning.Advisor;
import io.iocluster.node.tuning.TuningJson;
import io.iocluster.pipeline.Pipeline;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The routes that the features of a node add to its admin API. Immutable. */
final class NodeRoutes {

    private final Node node;
    private final Pipeline pipeline;
    private final NodeMetrics metrics;
    private final Advisor advisor;

    NodeRoutes(Node node, Pipeline pipeline, NodeMetrics metrics, Advisor advisor) {
        this.node = node;
        this.pipeline = pipeline;
        this.metrics = metrics;
        this.advisor = advisor;
    }

    /** Returns all routes. */
    List<AdminRoute> all() {
        List<AdminRoute> all = new ArrayList<>(List.of(
                AdminRoute.get("/metrics", Access.OPEN, this::scrape),
                AdminRoute.json("/api/stats", Access.OPEN, () -> NodeStatsJson.of(metrics.stats(), node.uptime())),
                AdminRoute.json("/api/attempts", Access.OPEN, () -> AttemptsJson.of(metrics.attempts())),
                AdminRoute.json("/api/failures", Access.READER, () -> FailuresJson.of(metrics.recentFailures())),
                AdminRoute.json("/api/tuning", Access.OPEN, () -> TuningJson.of(advisor.status()))));
        all.addAll(new DestinationActions(
                        pipeline::destinations,
                        pipeline::apply,
                        () -> node.settings().admin().actions())
                .routes());
        return all;
    }

    private AdminResponse scrape(AdminRequest request) {
        Exposition exposition = metrics.scrape(node.status(), node.destinations(), request.header("Accept"));
        return new AdminResponse(200, exposition.contentType(), exposition.text(), Map.of());
    }
}
