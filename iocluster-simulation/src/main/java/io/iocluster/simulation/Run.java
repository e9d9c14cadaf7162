package io.iocluster.simulation;

import io.iocluster.simulation.cluster.Cluster;
import io.iocluster.simulation.cluster.Schedule;
import io.iocluster.simulation.engine.Simulation;
import io.iocluster.simulation.engine.Trace;
import io.iocluster.simulation.oracle.Oracle;
import java.time.Duration;
import java.util.List;

/**
 * The result of one schedule.
 *
 * @param hash equal for two runs that did the same
 * @param millis virtual time of the run
 * @param tasks how many tasks ran
 */
public record Run(List<String> violations, long hash, long millis, long tasks) {

    /** The longest deadline and the longest time for which an answer is published again. */
    private static final Duration SETTLE = Duration.ofMinutes(5);

    /** Plays a schedule, ends its faults, waits until everything is settled, and checks the guarantees. */
    public static Run of(Schedule schedule, Trace trace) {
        Simulation simulation = new Simulation(schedule.seed(), trace);
        Cluster cluster = new Cluster(schedule, simulation);
        Oracle oracle = new Oracle(schedule, cluster);
        cluster.play();
        cluster.heal();
        cluster.settle(SETTLE);
        return new Run(oracle.check(), trace.hash(), simulation.millis(), simulation.executed());
    }
}
