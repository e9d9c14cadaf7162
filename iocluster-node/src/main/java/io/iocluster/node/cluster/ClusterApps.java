package io.iocluster.node.cluster;

import io.iocluster.node.cluster.ClusterSnapshot.LiveNode;
import io.iocluster.node.cluster.NodeAnnouncement.AppLoad;
import io.iocluster.status.StatusField;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The apps that send calls to the cluster, summed over the nodes. Each node announces only its busiest apps, so the sum of an app that
 * is busy on some nodes only may be too low. Immutable.
 *
 * @param callsPerSecond ended calls of all apps on all nodes
 * @param busiest the apps with the most calls, waiting ones included
 */
record ClusterApps(double callsPerSecond, List<ClusterApp> busiest) {

    /** Maximum number of apps. */
    static final int MAX = 20;

    /** The sums of one app. */
    record ClusterApp(
            @StatusField String name,
            @StatusField(doc = AppLoad.CALLS_PER_SECOND) double callsPerSecond,

            @StatusField(doc = AppLoad.OVER_QUOTA_PER_SECOND)
            double overQuotaPerSecond,

            @StatusField long inFlight,
            @StatusField(doc = AppLoad.WAITING) long waiting,

            @StatusField(doc = "the nodes on which it is one of the busiest apps")
            List<String> nodes) {

        private ClusterApp plus(String node, AppLoad load) {
            List<String> all = new ArrayList<>(nodes);
            all.add(node);
            return new ClusterApp(
                    name,
                    callsPerSecond + load.callsPerSecond(),
                    overQuotaPerSecond + load.overQuotaPerSecond(),
                    inFlight + load.inFlight(),
                    waiting + load.waiting(),
                    all);
        }
    }

    static ClusterApps of(List<LiveNode> nodes) {
        Map<String, ClusterApp> byName = new LinkedHashMap<>();
        double callsPerSecond = 0;
        for (LiveNode node : nodes) {
            NodeAnnouncement announced = node.announcement();
            callsPerSecond += announced.apps().callsPerSecond();
            for (AppLoad load : announced.apps().busiest()) {
                byName.merge(
                        load.name(),
                        new ClusterApp(load.name(), 0, 0, 0, 0, List.of())
                                .plus(announced.id().node(), load),
                        (known, added) -> known.plus(announced.id().node(), load));
            }
        }
        return new ClusterApps(
                callsPerSecond,
                byName.values().stream()
                        .sorted(Comparator.comparingDouble((ClusterApp each) -> each.callsPerSecond() + each.waiting())
                                .reversed()
                                .thenComparing(ClusterApp::name))
                        .limit(MAX)
                        .toList());
    }

    /** Returns the app's share of all calls of the cluster, from 0 to 1. */
    double share(ClusterApp app) {
        return callsPerSecond > 0 ? Math.min(1, app.callsPerSecond() / callsPerSecond) : 0;
    }
}
