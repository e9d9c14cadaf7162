package io.iocluster.simulation.rabbit;

import io.iocluster.testkit.simulation.Simulation;
import java.time.Duration;

/** One direction of a TCP connection: everything arrives in its order, after a random latency. Confined to the thread of the simulation. */
final class Wire {

    private final Simulation simulation;
    private final long maxLatencyNanos;
    private long lastNanos;

    Wire(Simulation simulation, Duration maxLatency) {
        this.simulation = simulation;
        this.maxLatencyNanos = maxLatency.toNanos();
    }

    /** Runs the task when it arrives at the other end. */
    void send(Runnable arrival) {
        long now = simulation.nanos();
        lastNanos = Math.max(lastNanos + 1, now + simulation.random().nextLong(maxLatencyNanos));
        simulation.after(Duration.ofNanos(lastNanos - now), arrival);
    }

    /** Holds everything that is sent from now on for this time, as a stalled link does. */
    void stall(Duration time) {
        lastNanos = Math.max(lastNanos, simulation.nanos() + time.toNanos());
    }
}
