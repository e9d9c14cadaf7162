package io.iocluster.destination.policy;

/**
 * This node's share of the limits that apply to the whole cluster. Immutable.
 *
 * @param nodes number of nodes that divide the limits, this one included; 0 while the node does not know its share, so that it must not
 *     use any
 * @param rank position of this node among them, from 0; the first nodes get the remainder of a division
 */
public record ClusterShare(int nodes, int rank) {

    /** The share of a node that is alone. */
    public static final ClusterShare WHOLE = new ClusterShare(1, 0);

    /** The share of a node that does not know its share. */
    public static final ClusterShare UNKNOWN = new ClusterShare(0, 0);

    public boolean isKnown() {
        return nodes > 0;
    }

    /**
     * Returns this node's part of a limit of calls in flight. It is at least 1, because a node without a slot would never make its calls.
     * So the parts exceed a limit that is below the number of nodes.
     */
    public int of(int limit) {
        return Math.max(1, limit / nodes + (rank < limit % nodes ? 1 : 0));
    }
}
