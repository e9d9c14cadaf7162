package io.iocluster.node.cluster;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * The cluster as this node sees it at one moment. Immutable.
 *
 * @param nodes the live nodes, ordered by name; this node is one of them, unless it has left
 * @param silent whether announcements do not arrive, this node's included: the other nodes are then shown as they were
 * @param silentMillis time since the last announcement arrived, or since the start
 * @param unheard whether announcements of others arrive, but not this node's own, so that the others do not see it
 * @param lost nodes that disappeared without leaving, latest first
 * @param lostCount number of such nodes since the start
 * @param ignored records that were ignored since the start
 */
record ClusterSnapshot(
        List<LiveNode> nodes,
        boolean silent,
        long silentMillis,
        boolean unheard,
        List<LostNode> lost,
        long lostCount,
        Map<IgnoredRecord, Long> ignored) {

    ClusterSnapshot {
        nodes = List.copyOf(nodes);
        lost = List.copyOf(lost);
        ignored = Map.copyOf(ignored);
    }

    /**
     * A node that announced itself recently.
     *
     * @param ageMillis time since its last announcement arrived, by this node's clock
     * @param self whether it is this node
     */
    record LiveNode(NodeAnnouncement announcement, long ageMillis, boolean self) {

        String name() {
            return announcement.id().node();
        }

        String instance() {
            return announcement.id().instance();
        }
    }

    /** A node that disappeared without leaving. */
    record LostNode(String name, Instant lastSeen) {}
}
