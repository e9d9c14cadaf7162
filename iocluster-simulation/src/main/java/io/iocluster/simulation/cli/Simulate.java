package io.iocluster.simulation.cli;

import io.iocluster.simulation.Run;
import io.iocluster.simulation.cluster.Schedule;
import io.iocluster.simulation.engine.Trace;

public final class Simulate {
    public static void main(String[] args) {
        String[] range = args[0].split("\\.\\.");
        long from = Long.parseLong(range[0]), to = Long.parseLong(range[range.length - 1]);
        long start = System.nanoTime(), virtual = 0, bad = 0;
        for (long seed = from; seed <= to; seed++) {
            Schedule schedule = Schedule.of(seed);
            Trace trace = from == to ? Trace.to(System.out::println) : Trace.hashOnly();
            Run run = Run.of(schedule, trace);
            virtual += run.millis();
            if (!run.violations().isEmpty() || from == to) {
                bad++;
                System.out.println("seed " + seed + " calls " + schedule.calls().size() + " tasks " + run.tasks()
                        + " hash " + Long.toHexString(run.hash()) + " " + schedule.faults());
                run.violations().stream().limit(5).forEach(v -> System.out.println("   " + v));
            }
        }
        System.out.printf(
                "%d seeds, %d bad, %.0f virtual s in %.1f s%n",
                to - from + 1, bad, virtual / 1e3, (System.nanoTime() - start) / 1e9);
    }
}
