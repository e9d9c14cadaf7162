package io.iocluster.simulation.cluster;

import io.iocluster.testkit.simulation.SimulatedProcess;
import io.iocluster.testkit.simulation.Simulation;
import io.iocluster.transport.cluster.ClusterChannel;
import io.iocluster.transport.cluster.ClusterChannelStatus;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;

/**
 * Carries the announcements of the nodes. A record reaches all nodes, the sender included, at the same time and in order, or none, as a topic
 * with one partition does. Confined to the thread of the simulation.
 */
final class AnnouncementTopic {

    private static final long MAX_LATENCY_NANOS = 5_000_000;

    private final Simulation simulation;
    private final Map<SimulatedProcess, Channel> channels = new LinkedHashMap<>();
    private boolean down;
    private boolean losing;
    private long delayNanos;
    private long lastArrivalNanos;

    AnnouncementTopic(Simulation simulation) {
        this.simulation = simulation;
    }

    /** Returns the channel of a process, which is not started. */
    ClusterChannel connect(SimulatedProcess process) {
        return new Channel(process);
    }

    /** Stops or starts with the broker. */
    void setDown(boolean isDown) {
        down = isDown;
    }

    /** Loses all records from now on, or none. */
    void setLosing(boolean loses) {
        losing = loses;
    }

    /** Delays all records that are sent from now on. */
    void setDelay(Duration delay) {
        delayNanos = delay.toNanos();
    }

    private boolean publish(byte[] payload) {
        if (down || losing) {
            return false;
        }
        long latency = delayNanos + simulation.random().nextLong(MAX_LATENCY_NANOS);
        lastArrivalNanos = Math.max(lastArrivalNanos + 1, simulation.nanos() + latency);
        Duration delay = Duration.ofNanos(lastArrivalNanos - simulation.nanos());
        List.copyOf(channels.values()).forEach(channel -> channel.deliver(payload, delay));
        return true;
    }

    private final class Channel implements ClusterChannel {

        private final SimulatedProcess process;
        /** What is on its way to the process, in the order of its arrival. */
        private final Queue<byte[]> arriving = new ArrayDeque<>();

        private Listener listener;
        private long announced;
        private long failed;

        Channel(SimulatedProcess process) {
            this.process = process;
        }

        @Override
        public void start(Listener receiver) {
            listener = receiver;
            channels.put(process, this);
        }

        /** Delivers through the process, so that a paused one receives the records later, in their order, and a killed one never. */
        private void deliver(byte[] payload, Duration delay) {
            arriving.add(payload);
            process.after(delay, () -> {
                byte[] next = arriving.remove();
                if (channels.get(process) == this) {
                    listener.received(next);
                }
            });
        }

        @Override
        public void announce(byte[] payload) {
            if (publish(payload)) {
                announced++;
            } else {
                failed++;
            }
        }

        @Override
        public ClusterChannelStatus status() {
            return new ClusterChannelStatus(down || losing ? "no announcements" : null, announced, failed, 0);
        }

        @Override
        public void close(byte[] last, Duration timeout) {
            if (last != null && listener != null) {
                announce(last);
            }
            channels.remove(process);
        }
    }
}
