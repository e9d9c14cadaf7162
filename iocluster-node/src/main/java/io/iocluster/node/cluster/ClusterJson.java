package io.iocluster.node.cluster;

import io.iocluster.node.cluster.ClusterProblem.Open;
import io.iocluster.node.cluster.ClusterSnapshot.LiveNode;
import io.iocluster.node.cluster.NodeAnnouncement.DestinationLoad;
import io.iocluster.node.cluster.NodeAnnouncement.Identity;
import io.iocluster.node.cluster.NodeAnnouncement.Load;
import io.iocluster.node.tuning.Advice;
import io.iocluster.node.tuning.ClusterAdvisor.ClusterAdvice;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Writes the cluster for {@code /api/cluster}. */
public final class ClusterJson {

    private static final int MAX_PROBLEMS = 20;

    private ClusterJson() {}

    /** Returns what this node sees of its cluster. */
    public static ObjectNode of(ClusterMember member) {
        return of(member.status());
    }

    static ObjectNode of(ClusterStatus cluster) {
        ClusterSnapshot snapshot = cluster.snapshot();
        List<LiveNode> nodes = snapshot.nodes();
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("enabled", cluster.enabled());
        json.put("outdated", cluster.enabled() && snapshot.silent());
        json.put("problem", cluster.enabled() ? cluster.channel().problem() : null);
        json.put("liveNodes", nodes.size());
        if (cluster.advice() == null) {
            json.putNull("advice");
        } else {
            json.set("advice", advice(cluster.advice()));
        }
        json.set("problems", problems(cluster.problems()));
        json.set("apps", apps(ClusterApps.of(nodes)));
        NodeDifferences differences = NodeDifferences.of(nodes);
        ArrayNode all = json.putArray("nodes");
        nodes.forEach(node -> all.add(node(node, differences)));
        ArrayNode lost = json.putArray("lost");
        snapshot.lost()
                .forEach(each -> lost.addObject()
                        .put("node", each.name())
                        .put("lastSeen", each.lastSeen().toString()));
        return json;
    }

    private static ObjectNode advice(ClusterAdvice cluster) {
        Advice advice = cluster.advice();
        int nodes = cluster.nodes();
        return JsonNodeFactory.instance
                .objectNode()
                .put("verdict", advice.verdict().wireName())
                .put("maxInFlightPerNode", perNode(advice.maxInFlight(), nodes))
                .put("threadsPerNode", perNode(advice.threads(), nodes))
                .put("additionalNodes", advice.additionalNodes())
                .put("reason", advice.reason())
                .put("since", cluster.since().toString());
    }

    private static Integer perNode(Integer total, int nodes) {
        return total == null ? null : (Integer) ((total + nodes - 1) / nodes);
    }

    private static ArrayNode problems(List<Open> problems) {
        ArrayNode json = JsonNodeFactory.instance.arrayNode();
        problems.stream().limit(MAX_PROBLEMS).forEach(each -> {
            ClusterProblem problem = each.problem();
            ObjectNode one = json.addObject()
                    .put("kind", problem.kind())
                    .put("severity", problem.bad() ? "bad" : "warn")
                    .put("subject", problem.subject())
                    .put("text", problem.text())
                    .put("action", problem.action())
                    .put("since", each.since().toString());
            ArrayNode nodes = one.putArray("nodes");
            problem.nodes().forEach(nodes::add);
        });
        return json;
    }

    private static ArrayNode apps(ClusterApps apps) {
        ArrayNode json = JsonNodeFactory.instance.arrayNode();
        apps.busiest().forEach(each -> {
            ObjectNode app = json.addObject()
                    .put("name", each.name())
                    .put("callsPerSecond", each.callsPerSecond())
                    .put("share", apps.share(each))
                    .put("overQuotaPerSecond", each.overQuotaPerSecond())
                    .put("inFlight", each.inFlight())
                    .put("waiting", each.waiting());
            ArrayNode nodes = app.putArray("nodes");
            each.nodes().forEach(nodes::add);
        });
        return json;
    }

    private static ObjectNode node(LiveNode node, NodeDifferences differences) {
        NodeAnnouncement announced = node.announcement();
        Identity id = announced.id();
        Load load = announced.load();
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("node", id.node());
        json.put("self", node.self());
        json.put("ageMillis", node.ageMillis());
        json.put("host", id.host());
        json.put("admin", id.admin());
        json.put("version", id.version());
        json.put("otherVersion", differences.hasOtherVersion(node));
        json.put("configuration", id.configuration());
        json.put("otherConfiguration", differences.hasOtherConfiguration(node));
        json.put("uptimeSeconds", id.uptimeMillis() / 1_000);
        json.put("state", announced.state());
        json.put("transport", id.transport());
        json.put("cpu", load.cpu());
        json.put("threads", load.threads());
        json.put("inFlight", load.inFlight());
        json.put("inFlightLimit", load.slots());
        json.put("waiting", load.waiting());
        json.put("unconfirmed", load.unconfirmed());
        json.put("callsPerSecond", announced.callsPerSecond());
        json.put("errorShare", announced.errorShare());
        json.put("verdict", announced.verdict());
        json.put("reason", announced.reason());
        lags(announced, json);
        ArrayNode destinations = json.putArray("destinations");
        announced.destinations().forEach(each -> destinations.add(destination(each)));
        ArrayNode apps = json.putArray("apps");
        announced
                .apps()
                .busiest()
                .forEach(each -> apps.addObject()
                        .put("name", each.name())
                        .put("callsPerSecond", each.callsPerSecond())
                        .put("overQuotaPerSecond", each.overQuotaPerSecond())
                        .put("inFlight", each.inFlight())
                        .put("waiting", each.waiting()));
        json.put("moreApps", announced.apps().more());
        ArrayNode problems = json.putArray("problems");
        announced
                .problems()
                .forEach(each -> problems.addObject()
                        .put("kind", each.kind())
                        .put("severity", each.bad() ? "bad" : "warn")
                        .put("subject", each.subject())
                        .put("text", each.text())
                        .put("action", each.action()));
        return json;
    }

    private static void lags(NodeAnnouncement announced, ObjectNode json) {
        json.put("lag", announced.lags().total());
        json.put(
                "oldestAgeMillis",
                announced.lags().total() == null
                        ? null
                        : (Long) announced.lags().oldestAgeMillis());
        ArrayNode lags = json.putArray("lags");
        announced
                .lags()
                .largest()
                .forEach(each -> lags.addObject()
                        .put("queue", each.queue())
                        .put("partition", each.partition())
                        .put("messages", each.messages())
                        .put("oldestAgeMillis", each.oldestAgeMillis())
                        .put("stale", each.stale()));
        json.put("moreLags", announced.lags().more());
    }

    private static ObjectNode destination(DestinationLoad each) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("name", each.name())
                .put("inFlight", each.inFlight())
                .put("inFlightLimit", each.limit())
                .put("waiting", each.waiting())
                .put("attemptsPerSecond", each.attemptsPerSecond())
                .put("errorShare", each.errorShare())
                .put("breaker", each.breaker());
    }
}
