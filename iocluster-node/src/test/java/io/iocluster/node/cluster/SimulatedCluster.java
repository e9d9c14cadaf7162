package io.iocluster.node.cluster;

import io.iocluster.destination.limit.RateLimit;
import io.iocluster.destination.policy.ClusterShare;
import io.iocluster.node.config.ClusterSettings;
import io.iocluster.settings.Rate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;

/**
 * Nodes that always have work for one target, whose limits they divide, on a channel of announcements with delays. Time is simulated, so
 * that a test of minutes takes milliseconds.
 */
final class SimulatedCluster {

    static final Rate RATE = Rate.parse("200/s");
    static final int MAX_IN_FLIGHT = 30;

    private static final long STEP_MILLIS = 5;
    private static final long TICK_MILLIS = 250;
    private static final long CALL_MILLIS = 120;
    private static final int MAX_DELAY_MILLIS = 150;
    private static final long WINDOW_MILLIS = 5_000;

    private final Random random = new Random(17);
    private final List<SimulatedNode> nodes = new ArrayList<>();
    private final PriorityQueue<Delivery> deliveries =
            new PriorityQueue<>((a, b) -> Long.compare(a.atMillis(), b.atMillis()));
    private final Deque<Long> lastStarts = new ArrayDeque<>();
    private long millis;
    private long excessSinceMillis = -1;
    private long longestExcessMillis;
    private int mostInWindow;
    private int mostInFlight;
    private int started;
    private boolean channelDown;
    private int inventedPerSecond;
    private int invented;

    private record Delivery(long atMillis, SimulatedNode to, byte[] record) {}

    /** One node. All fields are set by the test through its methods. */
    final class SimulatedNode {

        private final int number = nodes.size() + 1;
        private final long intervalMillis;
        private final ClusterView view;
        private final ShareLease lease;
        private final Deque<Long> callEnds = new ArrayDeque<>();
        private RateLimit limit = new RateLimit("target", RATE, 1, SimulatedCluster.this::nanos);
        private ClusterShare share = ClusterShare.UNKNOWN;
        private long nextTickMillis = millis + random.nextInt((int) TICK_MILLIS);
        private long nextAnnouncementMillis = millis;
        private boolean alive = true;
        private boolean connected = true;
        private boolean cutOff;
        private long pausedUntilMillis;

        private SimulatedNode(Duration interval) {
            ClusterSettings settings = new ClusterSettings(true, interval, interval.multipliedBy(10), 100);
            this.intervalMillis = interval.toMillis();
            this.view = new ClusterView(
                    TestAnnouncements.instance(number),
                    settings,
                    SimulatedCluster.this::nanos,
                    () -> Instant.EPOCH.plusMillis(millis));
            this.lease = new ShareLease(view, interval, () -> connected, SimulatedCluster.this::nanos);
        }

        /** Ends the node without a last record, like {@code kill -9}. */
        void kill() {
            alive = false;
            callEnds.clear();
        }

        /** Drains the node, which then says that it leaves. */
        void drain() {
            kill();
            announce(NodeAnnouncement.leaving(TestAnnouncements.identity("node-" + number, number)));
        }

        /** Stops the process for this time, like a long garbage collection. */
        void pause(Duration time) {
            pausedUntilMillis = millis + time.toMillis();
        }

        /** Makes the broker unreachable for this node, which notices it later. */
        void cutOff() {
            cutOff = true;
        }

        void setConnected(boolean isConnected) {
            connected = isConnected;
            cutOff = cutOff && !isConnected;
        }

        boolean isHolding() {
            return !share.isKnown();
        }

        private void step() {
            if (!alive || millis < pausedUntilMillis) {
                return;
            }
            if (millis >= nextTickMillis) {
                nextTickMillis = millis + TICK_MILLIS;
                tick();
            }
            while (!callEnds.isEmpty() && callEnds.peek() <= millis) {
                callEnds.poll();
            }
            while (share.isKnown() && callEnds.size() < share.of(MAX_IN_FLIGHT) && limit.tryReserve(nanos())) {
                limit.consumeReservation();
                callEnds.add(millis + CALL_MILLIS);
                countStart();
            }
        }

        private void tick() {
            ClusterShare next = lease.renew();
            if (next.isKnown() && next.nodes() != limit.nodes()) {
                limit = limit.dividedBy(next.nodes(), nanos());
            }
            share = next;
            if (millis >= nextAnnouncementMillis) {
                boolean isNew = view.ownRecords() < 2;
                nextAnnouncementMillis = millis + (isNew ? 500 : intervalMillis);
                NodeAnnouncement own = TestAnnouncements.idle("node-" + number, number, intervalMillis);
                view.setOwn(own);
                announce(own);
            }
        }

        private void announce(NodeAnnouncement record) {
            if (!channelDown && !cutOff) {
                byte[] bytes = AnnouncementCodec.encode(record);
                nodes.forEach(
                        to -> deliveries.add(new Delivery(millis + 1 + random.nextInt(MAX_DELAY_MILLIS), to, bytes)));
            }
        }
    }

    /** Starts a node that announces itself every second. */
    SimulatedNode start() {
        return start(Duration.ofSeconds(1));
    }

    SimulatedNode start(Duration interval) {
        SimulatedNode node = new SimulatedNode(interval);
        nodes.add(node);
        return node;
    }

    /** Loses all announcements until the channel is up again. */
    void setChannelDown(boolean down) {
        channelDown = down;
    }

    /** Announces this many nodes a second that do not exist, each once. */
    void inventNodes(int perSecond) {
        inventedPerSecond = perSecond;
    }

    /** Lets this time pass, and returns how many calls the target got in it for each second. */
    double run(Duration time) {
        int before = started;
        for (long end = millis + time.toMillis(); millis < end; millis += STEP_MILLIS) {
            deliver();
            deliverInvented();
            nodes.forEach(SimulatedNode::step);
            measure();
        }
        return (started - before) * 1e3 / time.toMillis();
    }

    private void deliver() {
        List<Delivery> later = new ArrayList<>();
        while (!deliveries.isEmpty() && deliveries.peek().atMillis() <= millis) {
            Delivery next = deliveries.poll();
            if (millis < next.to().pausedUntilMillis) {
                later.add(new Delivery(next.to().pausedUntilMillis, next.to(), next.record()));
            } else if (next.to().alive && !next.to().cutOff && !channelDown) {
                next.to().view.received(next.record());
            }
        }
        deliveries.addAll(later);
    }

    private void deliverInvented() {
        for (long due = inventedPerSecond * STEP_MILLIS; due >= 1_000; due -= 1_000) {
            byte[] record = AnnouncementCodec.encode(TestAnnouncements.idle("invented", 1_000 + invented++));
            nodes.stream().filter(node -> node.alive).forEach(node -> node.view.received(record));
        }
    }

    private void countStart() {
        started++;
        lastStarts.add(millis);
        while (lastStarts.peek() <= millis - WINDOW_MILLIS) {
            lastStarts.poll();
        }
        mostInWindow = Math.max(mostInWindow, lastStarts.size());
    }

    private void measure() {
        double used = nodes.stream()
                .filter(node -> node.alive && millis >= node.pausedUntilMillis && node.share.isKnown())
                .mapToDouble(node -> 1.0 / node.share.nodes())
                .sum();
        if (used <= 1.000_001) {
            excessSinceMillis = -1;
        } else {
            excessSinceMillis = excessSinceMillis < 0 ? millis : excessSinceMillis;
            longestExcessMillis = Math.max(longestExcessMillis, millis - excessSinceMillis);
        }
        mostInFlight = Math.max(
                mostInFlight,
                nodes.stream().mapToInt(node -> node.callEnds.size()).sum());
    }

    /** Returns the most calls a second that the target got in five seconds. */
    double mostPerSecond() {
        return mostInWindow * 1e3 / WINDOW_MILLIS;
    }

    /** Returns the most calls in flight at the target. */
    int mostInFlight() {
        return mostInFlight;
    }

    /** Returns the longest time in which the shares of all nodes exceeded the limit together. */
    Duration longestExcess() {
        return Duration.ofMillis(longestExcessMillis);
    }

    private long nanos() {
        return Duration.ofMillis(millis).toNanos();
    }
}
