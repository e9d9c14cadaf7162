package io.iocluster.node.cluster;

import io.iocluster.status.StatusField;
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
     * @param ageMillis by this node's clock
     * @param clockAheadMillis how far its clock was ahead of this node's when its last announcement arrived; negative if behind
     */
    record LiveNode(
            @StatusField(inline = true) NodeAnnouncement announcement,

            @StatusField(doc = "time since its last announcement arrived")
            long ageMillis,

            @StatusField(doc = "whether it is the node that answers")
            boolean self,

            long clockAheadMillis) {

        LiveNode(NodeAnnouncement announcement, long ageMillis, boolean self) {
            this(announcement, ageMillis, self, 0);
        }

        String name() {
            return announcement.id().node();
        }

        String instance() {
            return announcement.id().instance();
        }
    }

    /** A node that disappeared without leaving. */
    record LostNode(
            @StatusField(name = "node") String name,
            @StatusField Instant lastSeen) {}
}
