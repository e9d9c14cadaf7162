package io.iocluster.node.cluster;

import io.iocluster.destination.policy.ClusterShare;
import io.iocluster.node.cluster.ClusterSnapshot.LiveNode;
import io.iocluster.transport.cluster.ClusterChannelStatus;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;

/** Sample statuses of clusters. */
public final class TestClusterStatuses {

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
}
