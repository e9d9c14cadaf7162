package io.iocluster.node.cluster;

import io.iocluster.node.cluster.ClusterApps.ClusterApp;
import io.iocluster.node.cluster.ClusterProblem.Open;
import io.iocluster.node.cluster.ClusterSnapshot.LiveNode;
import io.iocluster.node.cluster.ClusterSnapshot.LostNode;
import io.iocluster.node.tuning.ClusterAdvisor.ClusterAdvice;
import io.iocluster.status.StatusField;
import java.util.List;

/** What a node sees of its cluster: the response of {@code /api/cluster}. Immutable. */
public record ClusterReport(
        @StatusField(doc = "whether the node announces itself; otherwise it knows no nodes")
        boolean enabled,

        @StatusField(doc = "whether no announcement arrives, not even its own: the nodes are then shown as they were")
        boolean outdated,

        @StatusField(
                nullable = true,
                doc = "why announcements cannot be sent or received; null if they can, as far as known")
        String problem,

        @StatusField int liveNodes,

        @StatusField(
                nullable = true,
                doc = "What would help all nodes together; null until it is known, and while the view is outdated.")
        ClusterAdvice advice,

        @StatusField(doc = "most urgent first") List<Open> problems,

        @StatusField(
                doc =
                        "the busiest apps, summed over the nodes. Each node announces only its ten busiest, so a sum may be"
                                + " too low")
        List<AppRow> apps,

        @StatusField(
                doc =
                        "what each node announced. Untrusted: anyone with write access to the topic or exchange can announce")
        List<NodeRow> nodes,

        @StatusField(doc = "nodes that disappeared without a drain in the last ten minutes")
        List<LostNode> lost) {

    private static final int MAX_PROBLEMS = 20;

    /** An app of the cluster. */
    record AppRow(
            @StatusField(inline = true) ClusterApp app,

            @StatusField(doc = "part of the calls of the cluster, 0 to 1")
            double share) {}

    /** A live node, compared with the others. */
    record NodeRow(
            @StatusField(inline = true) LiveNode node,

            @StatusField(doc = "whether most nodes run another version")
            boolean otherVersion,

            @StatusField(doc = "whether most nodes of its version run another configuration")
            boolean otherConfiguration) {}

    /** Returns what this node sees of its cluster. */
    public static ClusterReport of(ClusterMember member) {
        return of(member.status());
    }

    static ClusterReport of(ClusterStatus cluster) {
        ClusterSnapshot snapshot = cluster.snapshot();
        ClusterApps apps = ClusterApps.of(snapshot.nodes());
        NodeDifferences differences = NodeDifferences.of(snapshot.nodes());
        return new ClusterReport(
                cluster.enabled(),
                cluster.enabled() && snapshot.silent(),
                cluster.enabled() ? cluster.channel().problem() : null,
                snapshot.nodes().size(),
                cluster.advice(),
                cluster.problems().stream().limit(MAX_PROBLEMS).toList(),
                apps.busiest().stream()
                        .map(each -> new AppRow(each, apps.share(each)))
                        .toList(),
                snapshot.nodes().stream()
                        .map(node -> new NodeRow(
                                node, differences.hasOtherVersion(node), differences.hasOtherConfiguration(node)))
                        .toList(),
                snapshot.lost());
    }
}
