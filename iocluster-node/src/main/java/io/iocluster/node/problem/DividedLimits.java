package io.iocluster.node.problem;

import io.iocluster.destination.ClusterLimits;
import io.iocluster.destination.DestinationStatus;
import io.iocluster.node.problem.Problem.Kind;
import io.iocluster.node.problem.Problem.Severity;
import java.util.List;

/** Reports limits for the whole cluster that delay calls because the share is unknown, or that the nodes exceed. */
final class DividedLimits {

    private DividedLimits() {}

    static void addProblems(DestinationStatus destination, List<Problem> problems) {
        ClusterLimits limits = destination.cluster();
        if (limits == null) {
            return;
        }
        String name = destination.name();
        if (limits.nodes() == 0) {
            if (destination.waiting() > 0) {
                problems.add(new Problem(
                        Kind.CLUSTER_SHARE_UNKNOWN,
                        Severity.WARN,
                        name,
                        "The nodes divide a limit of destination " + name + ", and this node does not know its share. "
                                + destination.waiting() + " calls to the destination wait.",
                        "A node knows its share at most some seconds after it starts to read. If this lasts, look at the problems"
                                + " of the cluster: the announcements of this node do not arrive."));
            }
        } else if (limits.maxInFlight() != null && limits.maxInFlight() < limits.nodes()) {
            problems.add(new Problem(
                    Kind.CLUSTER_LIMIT_TOO_SMALL,
                    Severity.WARN,
                    name,
                    "Destination " + name + " may have " + limits.maxInFlight() + " calls in flight for "
                            + limits.nodes() + " nodes. Each node needs one, so up to " + limits.nodes()
                            + " may be in flight.",
                    "Raise its max-in-flight, or run fewer nodes."));
        }
    }
}
