package io.iocluster.node.cluster;

import io.iocluster.status.StatusField;
import java.time.Instant;
import java.util.List;

/**
 * Something that is wrong with the cluster or with some of its nodes. Immutable.
 *
 * @param kind one of the kinds of a node's problems, or one of the cluster, such as {@code configuration-differs}
 * @param bad whether calls fail or are not made
 * @param lasting what else to do if it lasts; empty for nothing
 */
record ClusterProblem(
        @StatusField String kind,
        boolean bad,
        @StatusField(doc = "what it is about; may be empty") String subject,

        @StatusField(doc = "the nodes that have it; empty if it concerns the cluster")
        List<String> nodes,

        @StatusField String text,
        @StatusField(doc = "what to do next") String action,
        String lasting) {

    ClusterProblem(String kind, boolean bad, String subject, List<String> nodes, String text, String action) {
        this(kind, bad, subject, nodes, text, action, "");
    }

    ClusterProblem {
        nodes = List.copyOf(nodes);
    }

    /** Returns this problem after it has lasted. */
    ClusterProblem afterItLasted() {
        return new ClusterProblem(kind, bad, subject, nodes, text, action + lasting, "");
    }

    @StatusField(values = {"bad", "warn"})
    String severity() {
        return severity(bad);
    }

    static String severity(boolean bad) {
        return bad ? "bad" : "warn";
    }

    /** A problem and the time since when it exists. Immutable. */
    record Open(
            @StatusField(inline = true) ClusterProblem problem,
            @StatusField Instant since) {}
}
