package io.iocluster.simulation.cli;

import io.iocluster.simulation.BrokerKind;
import io.iocluster.simulation.Campaign;
import io.iocluster.simulation.Fairness;
import io.iocluster.simulation.Run;
import io.iocluster.simulation.SeedRange;
import io.iocluster.simulation.cluster.Schedule;
import io.iocluster.simulation.cluster.Wiring;
import io.iocluster.simulation.defect.PlantedDefect;
import io.iocluster.simulation.oracle.Violation;
import io.iocluster.testkit.simulation.Trace;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs seeds of the simulation. */
@Command(
        name = "simulate",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Runs a cluster of nodes in one thread on virtual time. A seed always gives the same run.")
public final class Simulate implements Callable<Integer> {

    private static final int MAX_SHOWN = 5;
    private static final int SPEED_ROUNDS = 5;
    private static final int MAX_FAIRNESS_SEEDS = 5;
    private static final int SPEED_CALLS = 500;
    private static final Duration SPEED_TIME = Duration.ofSeconds(20);

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "SEEDS",
            description = "17 shows the trace of one run; 1..1000 runs many and stops at the first violation.")
    private String seeds;

    @Option(names = "--all", description = "Continue after a violation, and print a line for each.")
    private boolean all;

    @Option(names = "--defect", paramLabel = "NAME", description = "Plant this defect: ${COMPLETION-CANDIDATES}.")
    private PlantedDefect defect;

    @Option(
            names = "--defects",
            paramLabel = "N",
            description = "Plant each defect in turn, and print the first of N seeds that finds it.")
    private long defects;

    @Option(names = "--no-shrink", description = "Do not look for a smaller schedule.")
    private boolean keep;

    @Option(names = "--quiet", description = "Print no trace.")
    private boolean quiet;

    @Option(names = "--shrunk", description = "Shrink the schedule of the seed first, then show its trace.")
    private boolean shrunk;

    @Option(
            names = "--speed",
            description = "Measure how fast the simulation is: two nodes, 500 calls a second, no faults.")
    private boolean speed;

    @Option(names = "--fairness", description = "Play other schedules: a healthy destination beside bad ones.")
    private boolean fairness;

    @Option(names = "--twice", description = "Run each seed twice, and fail if the runs differ.")
    private boolean twice;

    @Option(names = "--hashes", description = "Print the hash of each run, to compare it with the runs of another JVM.")
    private boolean hashes;

    @Option(
            names = "--broker",
            paramLabel = "KIND",
            description = "The broker: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private BrokerKind broker = BrokerKind.QUEUE;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Seeds to run at the same time (default: one for each CPU).")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Spec
    private CommandSpec spec;

    private Wiring wiring() {
        return defect == null ? Wiring.CORRECT : defect.wiring();
    }

    public static void main(String[] args) {
        System.exit(new CommandLine(new Simulate())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(args));
    }

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        if (defects > 0) {
            return findDefects(out);
        }
        if (speed) {
            return measure(out);
        }
        if (seeds == null) {
            throw new ParameterException(spec.commandLine(), "name a seed, a range of seeds, --defects or --speed");
        }
        SeedRange range = SeedRange.parse(seeds);
        if (fairness) {
            return compare(range, out);
        }
        return range.isSingle() ? replay(range.from(), out) : runMany(range, out);
    }

    /** Repeats one run in one thread, because the first ones are slow until the JVM has compiled the code. */
    private int measure(PrintWriter out) {
        int violations = 0;
        for (int round = 1; round <= SPEED_ROUNDS; round++) {
            long start = System.nanoTime();
            Run run = Run.of(Schedule.steady(SPEED_CALLS, SPEED_TIME), broker, wiring(), Trace.hashOnly());
            double seconds = (System.nanoTime() - start) / 1e9;
            out.printf(
                    "round %d: %.1f virtual seconds in %.1f s, %.1f times as fast, %.0f tasks/s%n",
                    round, run.millis() / 1e3, seconds, run.millis() / 1e3 / seconds, run.tasks() / seconds);
            run.violations().forEach(out::println);
            out.flush();
            violations += run.violations().size();
        }
        return violations == 0 ? 0 : 1;
    }

    private int compare(SeedRange range, PrintWriter out) {
        int violating = 0;
        for (long seed = range.from(); seed <= range.to(); seed++) {
            Trace trace = range.isSingle() && !quiet ? Trace.to(out::println) : Trace.hashOnly();
            Run run = Fairness.of(seed, broker, wiring(), trace);
            violating += run.violations().isEmpty() ? 0 : 1;
            for (Violation violation : run.violations()) {
                out.println("seed " + seed + ": " + violation);
            }
            out.flush();
        }
        out.println(violating + " of " + (range.to() - range.from() + 1) + " seeds violate a promise");
        return violating == 0 ? 0 : 1;
    }

    private int replay(long seed, PrintWriter out) {
        Schedule schedule = Schedule.of(seed);
        if (shrunk) {
            Run first = Run.of(schedule, broker, wiring(), Trace.hashOnly());
            if (!first.violations().isEmpty()) {
                schedule = new Campaign(broker, this::wiring, threads, false).shrink(schedule, first);
            }
        }
        print(schedule, out);
        Run run = Run.of(schedule, broker, wiring(), quiet ? Trace.hashOnly() : Trace.to(out::println));
        run.violations().forEach(out::println);
        out.printf(
                "seed %d: %d violations, %d tasks in %.1f virtual seconds, hash %016x%n",
                seed, run.violations().size(), run.tasks(), run.millis() / 1e3, run.hash());
        out.flush();
        return run.violations().isEmpty() ? 0 : 1;
    }

    private static void print(Schedule schedule, PrintWriter out) {
        out.println(schedule.nodes() + " nodes, " + schedule.size());
        schedule.faults().forEach(fault -> out.println("fault " + fault));
        if (schedule.calls().size() <= MAX_SHOWN) {
            schedule.calls().forEach(call -> out.println("call " + call));
        } else {
            out.println(schedule.calls().size() + " calls");
        }
    }

    private int runMany(SeedRange range, PrintWriter out) {
        long start = System.nanoTime();
        Campaign campaign = new Campaign(broker, this::wiring, threads, twice);
        long first = campaign.run(range, all, (seed, run) -> {
            synchronized (out) {
                if (hashes) {
                    out.printf("seed %d: %016x%n", seed, run.hash());
                }
                if (!run.violations().isEmpty()) {
                    out.println("seed " + seed + ": " + run.violations().size() + " violations, the first is "
                            + run.violations().get(0));
                }
                out.flush();
            }
        });
        double seconds = (System.nanoTime() - start) / 1e9;
        out.printf(
                "%d seeds, %.0f virtual seconds in %.1f s, %.0f seeds a minute, hash of all %016x%n",
                campaign.runs(),
                campaign.virtualMillis() / 1e3,
                seconds,
                campaign.runs() * 60 / seconds,
                campaign.hash());
        if (first >= 0 && !all && !keep) {
            shrink(first, campaign, out);
        }
        out.flush();
        return first < 0 ? 0 : 1;
    }

    private int findDefects(PrintWriter out) {
        int missed = 0;
        out.println("| defect | what it does | first seed | promise |");
        out.println("|---|---|---|---|");
        for (PlantedDefect planted : PlantedDefect.values()) {
            if (!planted.concerns(broker) || (defect != null && defect != planted)) {
                continue;
            }
            Map<Long, Run> found = new ConcurrentHashMap<>();
            long seed = new Campaign(broker, planted::wiring, threads, false)
                    .run(new SeedRange(1, defects), false, (of, run) -> {
                        if (!run.violations().isEmpty()) {
                            found.put(of, run);
                        }
                    });
            Run run = seed < 0 ? null : found.get(seed);
            String where = Long.toString(seed);
            for (long beside = 1; run == null && beside <= MAX_FAIRNESS_SEEDS; beside++) {
                Run compared = Fairness.of(beside, broker, planted.wiring(), Trace.hashOnly());
                run = compared.violations().isEmpty() ? null : compared;
                where = beside + " with `--fairness`";
            }
            missed += run == null ? 1 : 0;
            out.printf(
                    "| `%s` | %s | %s | %s |%n",
                    planted,
                    planted.description(),
                    run == null ? "not found" : where,
                    run == null ? "" : run.violations().get(0).promise());
            out.flush();
        }
        out.println(missed + " not found");
        out.flush();
        return missed == 0 ? 0 : 1;
    }

    private void shrink(long seed, Campaign campaign, PrintWriter out) {
        Schedule schedule = Schedule.of(seed);
        Run run = Run.of(schedule, broker, wiring(), Trace.hashOnly());
        Schedule small = campaign.shrink(schedule, run);
        out.println("The smallest schedule that still fails; bin/simulate " + seed + " --shrunk --broker " + broker
                + " shows its trace:");
        print(small, out);
        Run.of(small, broker, wiring(), Trace.hashOnly()).violations().forEach(out::println);
    }
}
