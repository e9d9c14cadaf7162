package io.iocluster.simulation;

import io.iocluster.simulation.cluster.Schedule;
import io.iocluster.simulation.cluster.SimulatedTargets;
import io.iocluster.simulation.cluster.Wiring;
import io.iocluster.simulation.oracle.CallTimes;
import io.iocluster.simulation.oracle.Oracle;
import io.iocluster.simulation.oracle.Promise;
import io.iocluster.testkit.simulation.Trace;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/**
 * Checks that the calls to a healthy destination take about as long beside bad ones as alone. Alone, a call whose destination needs fewer
 * slots than its share waits for nothing: it takes the time of its attempts.
 */
public final class Fairness {

    /** The limit of {@code bin/bench --scenario fairness}. */
    private static final double MAX_RATIO = 1.3;

    /** The time in which the node joins. */
    private static final long JOIN_MILLIS = 1_000;

    private Fairness() {}

    /** Plays the schedule of a seed. Its run has a violation if the 99th percentile of the good calls is too high. */
    public static Run of(long seed, BrokerKind broker, Wiring wiring, Trace trace) {
        return Run.of(Schedule.beside(seed), broker, wiring, trace, Fairness::check);
    }

    private static void check(Oracle oracle) {
        List<CallTimes> times = oracle.times(SimulatedTargets.HEALTHY, JOIN_MILLIS);
        long beside = p99(times, CallTimes::millis);
        long alone = p99(times, CallTimes::attemptMillis);
        if (beside > MAX_RATIO * alone) {
            String what = "the p99 of %d good calls is %d ms, and that of their attempts is %d ms";
            oracle.report(Promise.FAIR, String.format(Locale.ROOT, what, times.size(), beside, alone));
        }
    }

    private static long p99(List<CallTimes> times, ToLongFunction<CallTimes> millis) {
        long[] sorted = times.stream().mapToLong(millis).sorted().toArray();
        return sorted[sorted.length * 99 / 100];
    }
}
