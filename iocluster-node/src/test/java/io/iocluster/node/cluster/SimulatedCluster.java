package io.iocluster.node.cluster;

import io.iocluster.settings.Rate;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
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
    private static final long WINDOW_MILLIS = 5_000;

    private final Random random = new Random(17);
    private final List<SimulatedNode> nodes = new ArrayList<>();
    private final PriorityQueue<Delivery> deliveries =
            new PriorityQueue<>(Comparator.comparingLong(Delivery::atMillis).thenComparingInt(Delivery::order));
    private final Deque<Long> lastStarts = new ArrayDeque<>();
    private long millis;
    private long excessSinceMillis = -1;
    private long longestExcessMillis;
    private int mostInWindow;
    private int leastInWindow;
    private long leastSinceMillis;
    private int mostInFlight;
    private int started;
    private int records;
    private boolean channelDown;
    private boolean dividesMaxInFlight = true;
    private int maxDelayMillis = 150;
    private double lost;
    private int inventedPerSecond;
    private int invented;

    private record Delivery(long atMillis, int order, SimulatedNode to, SimulatedRecord record) {}

    /** Starts a node that announces itself every second. */
    SimulatedNode start() {
        return start(Duration.ofSeconds(1));
    }

    SimulatedNode start(Duration interval) {
        return start(nextName(), interval, true);
    }

    /** Starts a node that has no limit for the whole cluster. */
    SimulatedNode startWithoutLimits() {
        return start(nextName(), Duration.ofSeconds(1), false);
    }

    /** Starts a new process of a node. */
    SimulatedNode restart(SimulatedNode node) {
        return start(node.name, Duration.ofSeconds(1), true);
    }

    SimulatedNode startOlderVersion() {
        SimulatedNode node = new OlderNode(this, nextName(), instance(nodes.size() + 1));
        nodes.add(node);
        return node;
    }

    private SimulatedNode start(String name, Duration interval, boolean dividesLimits) {
        SimulatedNode node = new CurrentNode(this, name, instance(nodes.size() + 1), interval, dividesLimits);
        nodes.add(node);
        return node;
    }

    private String nextName() {
        return "node-" + (nodes.size() + 1);
    }

    private static String instance(int number) {
        return String.format("%016x", number);
    }

    /** Makes the rate the only limit. */
    void divideOnlyTheRate() {
        dividesMaxInFlight = false;
    }

    boolean dividesMaxInFlight() {
        return dividesMaxInFlight;
    }

    /** Loses all records until the channel is up again. */
    void setChannelDown(boolean down) {
        channelDown = down;
    }

    /** Delays each record by at most this time. */
    void setMaxDelay(Duration max) {
        maxDelayMillis = (int) max.toMillis();
    }

    /** Loses this part of the records, of which each node loses others. */
    void loseRecords(double part) {
        lost = part;
    }

    /** Announces this many nodes a second that do not exist, each once. */
    void inventNodes(int perSecond) {
        inventedPerSecond = perSecond;
    }

    void send(SimulatedNode from, SimulatedRecord record) {
        records++;
        if (channelDown || from.isCutOff()) {
            return;
        }
        for (SimulatedNode to : nodes) {
            long delayMillis = 1 + random.nextInt(maxDelayMillis);
            if (random.nextDouble() >= lost) {
                deliveries.add(new Delivery(to.deliveryMillis(from, delayMillis), records, to, record));
            }
        }
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
            if (next.to().isPaused()) {
                later.add(next);
            } else if (next.to().isAlive() && !next.to().isCutOff() && !channelDown) {
                next.to().received(next.record());
            }
        }
        deliveries.addAll(later);
    }

    private void deliverInvented() {
        for (long due = inventedPerSecond * STEP_MILLIS; due >= 1_000; due -= 1_000) {
            Lease lease = Lease.ofOlderVersion(2_000);
            SimulatedRecord record =
                    new SimulatedRecord(new Heartbeat("invented", instance(1_000 + invented++), lease), true, false);
            nodes.stream().filter(SimulatedNode::isAlive).forEach(node -> node.received(record));
        }
    }

    void countStart() {
        started++;
        lastStarts.add(millis);
    }

    private void measure() {
        while (!lastStarts.isEmpty() && lastStarts.peek() <= millis - WINDOW_MILLIS) {
            lastStarts.poll();
        }
        mostInWindow = Math.max(mostInWindow, lastStarts.size());
        if (millis - leastSinceMillis >= WINDOW_MILLIS) {
            leastInWindow = Math.min(leastInWindow, lastStarts.size());
        }
        double used = nodes.stream().mapToDouble(SimulatedNode::used).sum();
        if (used <= 1.000_001) {
            excessSinceMillis = -1;
        } else {
            excessSinceMillis = excessSinceMillis < 0 ? millis : excessSinceMillis;
            longestExcessMillis = Math.max(longestExcessMillis, millis - excessSinceMillis);
        }
        mostInFlight = Math.max(
                mostInFlight,
                nodes.stream().mapToInt(SimulatedNode::callsInFlight).sum());
    }

    /** Returns the most calls a second that the target got in five seconds. */
    double mostPerSecond() {
        return mostInWindow * 1e3 / WINDOW_MILLIS;
    }

    /** Starts to look for the least calls. */
    void measureLeast() {
        leastInWindow = Integer.MAX_VALUE;
        leastSinceMillis = millis;
    }

    /** Returns the least calls a second that the target got in five seconds since {@link #measureLeast}. */
    double leastPerSecond() {
        return leastInWindow * 1e3 / WINDOW_MILLIS;
    }

    /** Returns the most calls in flight at the target. */
    int mostInFlight() {
        return mostInFlight;
    }

    /** Returns the longest time in which the shares of all nodes exceeded the limit together. */
    Duration longestExcess() {
        return Duration.ofMillis(longestExcessMillis);
    }

    /** Returns how many records the nodes have sent. */
    int records() {
        return records;
    }

    int random(int bound) {
        return random.nextInt(bound);
    }

    long millis() {
        return millis;
    }

    long nanos() {
        return Duration.ofMillis(millis).toNanos();
    }
}
