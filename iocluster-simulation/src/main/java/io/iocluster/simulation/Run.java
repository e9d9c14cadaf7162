package io.iocluster.simulation;

import io.iocluster.simulation.broker.SimulatedBroker;
import io.iocluster.simulation.cluster.Cluster;
import io.iocluster.simulation.cluster.Schedule;
import io.iocluster.simulation.cluster.Wiring;
import io.iocluster.simulation.network.Network;
import io.iocluster.simulation.oracle.Oracle;
import io.iocluster.simulation.oracle.Violation;
import io.iocluster.testkit.simulation.Simulation;
import io.iocluster.testkit.simulation.Trace;
import java.time.Duration;
import java.util.List;

/**
 * The result of one schedule.
 *
 * @param hash equal for two runs that did the same
 * @param millis virtual time of the run
 * @param tasks how many tasks ran
 */
public record Run(List<Violation> violations, long hash, long millis, long tasks) {

    /** The longest deadline and the longest time for which an answer is published again. */
    private static final Duration SETTLE = Duration.ofMinutes(5);

    /** Plays a schedule, ends its faults, waits until everything is settled, and checks the guarantees. */
    public static Run of(Schedule schedule, BrokerKind kind, Wiring wiring, Trace trace) {
        Simulation simulation = new Simulation(schedule.seed(), trace);
        Oracle oracle = new Oracle(schedule, simulation);
        SimulatedBroker broker = kind.create(simulation);
        Network network = new Network(simulation, oracle);
        Cluster cluster = new Cluster(schedule, simulation, broker, network, wiring, oracle);
        oracle.observe(cluster, broker);
        cluster.play();
        cluster.heal();
        cluster.settle(SETTLE);
        return new Run(oracle.check(), trace.hash(), simulation.millis(), simulation.executed());
    }
}
