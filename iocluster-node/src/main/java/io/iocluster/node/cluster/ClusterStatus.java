package io.iocluster.node.cluster;

import io.iocluster.destination.policy.ClusterShare;
import io.iocluster.node.cluster.ClusterProblem.Open;
import io.iocluster.node.tuning.ClusterAdvisor.ClusterAdvice;
import io.iocluster.transport.cluster.ClusterChannelStatus;
import java.util.List;

/**
 * What a node says about its cluster. Immutable.
 *
 * @param enabled whether the node announces itself and listens to the others
 * @param channel the state of the announcements
 * @param advice null before the first, and while the view is outdated
 * @param share this node's share of the limits for the cluster
 */
record ClusterStatus(
        boolean enabled,
        ClusterSnapshot snapshot,
        ClusterChannelStatus channel,
        ClusterAdvice advice,
        List<Open> problems,
        ClusterShare share) {

    ClusterStatus {
        problems = List.copyOf(problems);
    }
}
