package io.iocluster.node.cluster;

import io.iocluster.destination.policy.ClusterShare;
import io.iocluster.node.cluster.ClusterProblem.Open;
import io.iocluster.node.cluster.ClusterSnapshot.LiveNode;
import io.iocluster.node.cluster.ClusterSnapshot.LostNode;
import io.iocluster.node.cluster.NodeAnnouncement.Identity;
import io.iocluster.node.tuning.Advice;
import io.iocluster.node.tuning.ClusterAdvisor.ClusterAdvice;
import io.iocluster.node.tuning.Verdict;
import io.iocluster.status.json.StatusMapper;
import io.iocluster.transport.cluster.ClusterChannelStatus;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Instant;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Sample statuses of clusters. */
public final class TestClusterStatuses {

    private static final Identity OTHER = TestAnnouncements.identity("node-2", 2, "0.9.0", TestAnnouncements.HASH);

    private TestClusterStatuses() {}

    /** Returns the meters of a cluster of one node. */
    public static MeterBinder meters() {
        ClusterStatus status = new ClusterStatus(
                true,
                new ClusterSnapshot(
                        List.of(new LiveNode(TestAnnouncements.idle("node-1", 1), 0, true)),
                        false,
                        0,
                        false,
                        List.of(),
                        0,
                        new IgnoredRecords(System::nanoTime).counts()),
                new ClusterChannelStatus(null, 1, 2, 3),
                null,
                List.of(),
                ClusterShare.WHOLE);
        return new ClusterMeters(() -> status);
    }

    /** Returns the response of {@code /api/cluster} for two nodes that differ, and a lost one. */
    public static ObjectNode report() {
        Instant time = Instant.parse("2026-01-02T03:04:05Z");
        return StatusMapper.object(ClusterReport.of(new ClusterStatus(
                true,
                new ClusterSnapshot(
                        List.of(
                                new LiveNode(TestAnnouncements.full(5, "x"), 1_200, false),
                                new LiveNode(NodeAnnouncement.leaving(OTHER), 7, true)),
                        false,
                        0,
                        false,
                        List.of(new LostNode("node-3", time)),
                        1,
                        new IgnoredRecords(System::nanoTime).counts()),
                new ClusterChannelStatus("connection refused", 1, 2, 3),
                new ClusterAdvice(new Advice(Verdict.GROW_IN_FLIGHT, 301, null, 2, "1,234 messages wait"), 2, time),
                List.of(new Open(
                        new ClusterProblem("version-differs", false, "", List.of("node-2"), "text", "action"), time)),
                ClusterShare.WHOLE)));
    }

    /** Returns the record of a busy node. */
    public static byte[] announcement() {
        return AnnouncementCodec.encode(TestAnnouncements.full(5, "x"));
    }
}
