package io.iocluster.node.cluster;

import io.iocluster.destination.policy.ClusterShare;
import io.iocluster.node.config.ClusterSettings;
import java.time.Duration;

/** A simulated node of this version. */
final class CurrentNode extends SimulatedNode {

    private static final long TICK_MILLIS = 100;
    private static final long FIRST_INTERVAL_MILLIS = 500;

    private final ShareMembers members;
    private final ShareLease lease;
    private final long intervalMillis;
    private int ownAnnouncements;

    CurrentNode(SimulatedCluster cluster, String name, String instance, Duration interval, boolean dividesLimits) {
        super(cluster, name, instance, TICK_MILLIS, cluster.random((int) TICK_MILLIS));
        ClusterSettings settings = new ClusterSettings(
                true, interval, interval.multipliedBy(10), 100, ClusterSettings.DEFAULTS.shareLease());
        this.intervalMillis = interval.toMillis();
        this.members = new ShareMembers(instance, settings, cluster::nanos);
        this.lease = new ShareLease(
                members,
                settings,
                () -> dividesLimits,
                cluster::dividesMaxInFlight,
                this::isConnected,
                this::hasStarted,
                cluster::nanos);
    }

    @Override
    ClusterShare renew() {
        return lease.renew();
    }

    @Override
    void sendHeartbeat() {
        if (lease.isRenewalDue()) {
            send(false);
        }
    }

    @Override
    long announce() {
        send(true);
        return ownAnnouncements < 2 ? FIRST_INTERVAL_MILLIS : intervalMillis;
    }

    private void send(boolean announcement) {
        cluster.send(this, new SimulatedRecord(new Heartbeat(name, instance, lease.send()), announcement, false));
    }

    @Override
    void received(SimulatedRecord record) {
        if (record.leaving()) {
            members.left(record.heartbeat().instance());
        } else if (record.announcement()) {
            ownAnnouncements += record.heartbeat().instance().equals(instance) ? 1 : 0;
            members.announced(record.heartbeat());
        } else {
            members.received(record.heartbeat());
        }
    }
}
