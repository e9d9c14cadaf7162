package io.iocluster.simulation;

import io.iocluster.simulation.broker.SimulatedBroker;
import io.iocluster.simulation.cluster.Cluster;
import io.iocluster.simulation.cluster.Schedule;
import io.iocluster.simulation.cluster.Wiring;
import io.iocluster.simulation.network.Network;
import io.iocluster.simulation.oracle.Oracle;
import io.iocluster.simulation.oracle.Promise;
import io.iocluster.simulation.oracle.Violation;
import io.iocluster.testkit.simulation.EndlessRun;
import io.iocluster.testkit.simulation.Simulation;
import io.iocluster.testkit.simulation.Trace;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * The result of one schedule.
 *
 * @param hash equal for two runs that did the same
 * @param millis virtual time of the run
 * @param tasks how many tasks ran
 */
public record Run(List<Violation> violations, long hash, long millis, long tasks) {

    /** Enough to show the loop and who called it. */
    private static final int STACK_LINES = 20;

    /** The longest deadline and the longest time for which an answer is published again. */
    private static final Duration SETTLE = Duration.ofMinutes(5);

    /** Returns this run, with a violation if the other run of the same seed was not the same. */
    Run comparedWith(Run other) {
        if (hash == other.hash) {
            return this;
        }
        String what = String.format(Locale.ROOT, "the hash was %016x, then %016x", hash, other.hash);
        return new Run(List.of(new Violation(Promise.REPEATABLE, millis, what)), hash, millis, tasks);
    }

    /** Returns the result of a run in which a task does not return. */
    static Run stuck(Trace trace, StackTraceElement[] stack) {
        String what = "a task does not return: "
                + Arrays.stream(stack).limit(STACK_LINES).toList();
        return new Run(
                List.of(new Violation(Promise.TERMINATES, trace.nanos() / 1_000_000, what)),
                0,
                trace.nanos() / 1_000_000,
                trace.steps());
    }

    /** Plays a schedule, ends its faults, waits until everything is settled, and checks the guarantees. */
    public static Run of(Schedule schedule, BrokerKind kind, Wiring wiring, Trace trace) {
        return of(schedule, kind, wiring, trace, oracle -> {});
    }

    /** @param atEnd reads what the oracle saw, before it checks the end of the run */
    static Run of(Schedule schedule, BrokerKind kind, Wiring wiring, Trace trace, Consumer<Oracle> atEnd) {
        Simulation simulation = new Simulation(schedule.seed(), trace);
        Oracle oracle = new Oracle(schedule, simulation);
        SimulatedBroker broker = kind.create(simulation);
        Network network = new Network(simulation, oracle);
        Cluster cluster = new Cluster(schedule, simulation, broker, network, wiring, oracle);
        oracle.observe(cluster, broker);
        List<Violation> violations;
        try {
            cluster.play();
            cluster.heal();
            cluster.settle(SETTLE);
            atEnd.accept(oracle);
            violations = oracle.check();
        } catch (EndlessRun | StackOverflowError endless) {
            violations = oracle.doesNotEnd(endless);
        }
        return new Run(violations, trace.hash(), simulation.millis(), simulation.executed());
    }
}
