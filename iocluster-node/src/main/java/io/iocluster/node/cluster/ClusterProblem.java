package io.iocluster.node.cluster;

import java.time.Instant;
import java.util.List;

/**
 * Something that is wrong with the cluster or with some of its nodes. Immutable.
 *
 * @param kind one of the kinds of a node's problems, or one of the cluster, such as {@code configuration-differs}
 * @param bad whether calls fail or are not made
 * @param subject what it is about, such as a destination's name; may be empty
 * @param nodes the names of the nodes that have it; empty if it concerns the cluster
 * @param action what the operator should do next
 */
record ClusterProblem(String kind, boolean bad, String subject, List<String> nodes, String text, String action) {

    ClusterProblem {
        nodes = List.copyOf(nodes);
    }

    /** A problem and the time since when it exists. Immutable. */
    record Open(ClusterProblem problem, Instant since) {}
}
