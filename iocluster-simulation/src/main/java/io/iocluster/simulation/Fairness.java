package io.iocluster.simulation;

import io.iocluster.simulation.cluster.Schedule;
import io.iocluster.simulation.cluster.SimulatedTargets;
import io.iocluster.simulation.cluster.Wiring;
import io.iocluster.simulation.oracle.Oracle;
import io.iocluster.simulation.oracle.Promise;
import io.iocluster.testkit.simulation.Trace;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Compares the calls to a healthy destination beside bad ones with the same calls alone. */
public final class Fairness {

    /** The limit of {@code bin/bench --scenario fairness}. */
    private static final double MAX_RATIO = 1.3;

    /** The time in which the node joins, and learns which destinations answer. */
    private static final long WARM_UP_MILLIS = 2_000;

    private Fairness() {}

    /**
     * Plays the calls of a seed alone, and then beside the bad destinations.
     *
     * @return the second run, with a violation if the 99th percentile of the good calls is too high
     */
    public static Run of(long seed, BrokerKind broker, Supplier<Wiring> wiring) {
        AtomicLong alone = new AtomicLong();
        Run before = play(Schedule.beside(seed, true), broker, wiring.get(), oracle -> alone.set(p99(oracle)));
        if (!before.violations().isEmpty()) {
            return before;
        }
        return play(Schedule.beside(seed, false), broker, wiring.get(), oracle -> {
            long beside = p99(oracle);
            if (beside > MAX_RATIO * alone.get()) {
                String what = "the p99 of good calls is %d ms, and %d ms without bad destinations";
                oracle.report(Promise.FAIR, String.format(Locale.ROOT, what, beside, alone.get()));
            }
        });
    }

    private static Run play(Schedule schedule, BrokerKind broker, Wiring wiring, Consumer<Oracle> atEnd) {
        return Run.of(schedule, broker, wiring, Trace.hashOnly(), atEnd);
    }

    private static long p99(Oracle oracle) {
        List<Long> sorted = oracle.latencies(SimulatedTargets.HEALTHY, WARM_UP_MILLIS).stream()
                .sorted()
                .toList();
        return sorted.get(sorted.size() * 99 / 100);
    }
}
