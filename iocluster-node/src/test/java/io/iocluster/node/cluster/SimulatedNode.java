package io.iocluster.node.cluster;

import io.iocluster.destination.limit.RateLimit;
import io.iocluster.destination.policy.ClusterShare;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/** One node of a {@link SimulatedCluster}, which always has work. The test changes it through its methods. */
abstract class SimulatedNode {

    private static final long CALL_MILLIS = 120;

    final SimulatedCluster cluster;
    final String name;
    final String instance;
    private final long tickMillis;
    private final Deque<Long> callEnds = new ArrayDeque<>();
    private final Map<SimulatedNode, Long> lastDeliveryMillis = new HashMap<>();
    private RateLimit limit;
    private ClusterShare share = ClusterShare.UNKNOWN;
    private long nextTickMillis;
    private long nextAnnouncementMillis;
    private boolean alive = true;
    private boolean connected = true;
    private boolean started = true;
    private boolean cutOff;
    private long pausedUntilMillis;

    /** @param phaseMillis time until the first tick */
    SimulatedNode(SimulatedCluster cluster, String name, String instance, long tickMillis, long phaseMillis) {
        this.cluster = cluster;
        this.name = name;
        this.instance = instance;
        this.tickMillis = tickMillis;
        this.nextTickMillis = cluster.millis() + phaseMillis;
        this.nextAnnouncementMillis = cluster.millis();
        this.limit = new RateLimit("target", SimulatedCluster.RATE, 1, cluster::nanos);
    }

    /** Returns the share as of now. */
    abstract ClusterShare renew();

    /** Sends the records that are due, apart from announcements. */
    abstract void sendHeartbeat();

    /** Sends an announcement. Returns the time until the next one. */
    abstract long announce();

    abstract void received(SimulatedRecord record);

    /** Ends the node without a last record, like {@code kill -9}. */
    void kill() {
        alive = false;
        callEnds.clear();
    }

    /** Drains the node, which then says that it leaves. */
    void drain() {
        kill();
        cluster.send(this, new SimulatedRecord(new Heartbeat(name, instance, new Lease(1_000, 0, false)), true, true));
    }

    /** Stops the process for this time, like a long garbage collection. */
    void pause(Duration time) {
        pausedUntilMillis = cluster.millis() + time.toMillis();
    }

    /** Makes the broker unreachable for this node, which notices it later. */
    void cutOff() {
        cutOff = true;
    }

    void setConnected(boolean isConnected) {
        connected = isConnected;
        cutOff = cutOff && !isConnected;
    }

    /** Makes the node one that has not started to read, as during a warm-up. */
    void warmUp() {
        started = false;
    }

    /** Ends the warm-up. */
    void startReading() {
        started = true;
    }

    boolean hasStarted() {
        return started;
    }

    boolean isConnected() {
        return connected;
    }

    boolean isCutOff() {
        return cutOff;
    }

    boolean isAlive() {
        return alive;
    }

    boolean isPaused() {
        return cluster.millis() < pausedUntilMillis;
    }

    boolean isHolding() {
        return !share.isKnown();
    }

    int callsInFlight() {
        return callEnds.size();
    }

    /** Returns the part of the limit that this node uses. */
    double used() {
        return alive && !isPaused() && share.isKnown() ? 1.0 / share.nodes() : 0;
    }

    /** Returns when a record from a node arrives that needs this time. Records of one node arrive in their order. */
    long deliveryMillis(SimulatedNode from, long delayMillis) {
        return lastDeliveryMillis.merge(from, cluster.millis() + delayMillis, Math::max);
    }

    void step() {
        if (!alive || isPaused()) {
            return;
        }
        long now = cluster.millis();
        if (now >= nextTickMillis) {
            nextTickMillis = now + tickMillis;
            tick(now);
        }
        while (!callEnds.isEmpty() && callEnds.peek() <= now) {
            callEnds.poll();
        }
        while (share.isKnown()
                && (!cluster.dividesMaxInFlight() || callEnds.size() < share.of(SimulatedCluster.MAX_IN_FLIGHT))
                && limit.tryReserve(cluster.nanos())) {
            limit.consumeReservation();
            callEnds.add(now + CALL_MILLIS);
            cluster.countStart();
        }
    }

    private void tick(long now) {
        ClusterShare next = renew();
        if (next.isKnown() && next.nodes() != limit.nodes()) {
            limit = limit.dividedBy(next.nodes(), cluster.nanos());
        }
        share = next;
        if (now >= nextAnnouncementMillis) {
            nextAnnouncementMillis = now + announce();
        } else {
            sendHeartbeat();
        }
    }
}
