package io.iocluster.node.cluster;

import io.iocluster.destination.policy.ClusterShare;
import java.util.HashMap;
import java.util.Map;

/**
 * A simulated node of the version before heartbeats. It counts each node from its second announcement on, until none arrives for 3.5
 * seconds, and uses a share from 2.5 seconds after its own first one on.
 */
final class OlderNode extends SimulatedNode {

    private static final long INTERVAL_MILLIS = 1_000;
    private static final long JOIN_MILLIS = 2_500;
    private static final long LATE_MILLIS = 3_500;

    private final Map<String, Integer> announcements = new HashMap<>();
    private final Map<String, Long> seenMillis = new HashMap<>();
    private long heardSinceMillis = -1;

    OlderNode(SimulatedCluster cluster, String name, String instance) {
        super(cluster, name, instance, 250, cluster.random(250));
    }

    @Override
    ClusterShare renew() {
        long now = cluster.millis();
        if (now - seenMillis.getOrDefault(instance, now - LATE_MILLIS) > JOIN_MILLIS) {
            heardSinceMillis = -1;
            return ClusterShare.UNKNOWN;
        }
        heardSinceMillis = heardSinceMillis < 0 ? now : heardSinceMillis;
        if (announcements.get(instance) < 2 || now - heardSinceMillis < JOIN_MILLIS) {
            return ClusterShare.UNKNOWN;
        }
        long others = seenMillis.entrySet().stream()
                .filter(each -> !each.getKey().equals(instance))
                .filter(each -> announcements.get(each.getKey()) >= 2 && now - each.getValue() <= LATE_MILLIS)
                .count();
        return new ClusterShare((int) others + 1, 0);
    }

    @Override
    void sendHeartbeat() {}

    @Override
    long announce() {
        Lease none = Lease.ofOlderVersion(INTERVAL_MILLIS);
        cluster.send(this, new SimulatedRecord(new Heartbeat(name, instance, none), true, false));
        return announcements.getOrDefault(instance, 0) < 2 ? 500 : INTERVAL_MILLIS;
    }

    @Override
    void received(SimulatedRecord record) {
        String from = record.heartbeat().instance();
        if (record.leaving()) {
            announcements.remove(from);
            seenMillis.remove(from);
        } else if (record.announcement()) {
            announcements.merge(from, 1, Integer::sum);
            seenMillis.put(from, cluster.millis());
        }
    }
}
