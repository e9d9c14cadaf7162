package io.iocluster.lab.bench.tuning;

import io.iocluster.lab.bench.run.BenchEnvironment;
import io.iocluster.lab.bench.run.BenchOptions;
import io.iocluster.lab.bench.run.Measurement;
import io.iocluster.lab.bench.run.Scenario;
import io.iocluster.lab.bench.run.Subject;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Measures whether the advisor finds the right size. The input rate rises in steps, the target takes 100 ms, and the
 * node starts with max-in-flight 50. The ramp runs with the advisor off and again on auto, and a chart shows both.
 */
public final class TuningScenario implements Scenario {

    private static final double MAX_RECOVERY_SECONDS = 60;
    private static final double MAX_CPU_PERCENT = 80;
    private static final String REVERSALS = "auto reversals in a minute";

    @Override
    public String name() {
        return "tuning";
    }

    /** The naive loop has no advisor. */
    @Override
    public boolean measures(Subject subject) {
        return subject == Subject.NODE;
    }

    /** The chart shows one run. */
    @Override
    public int rounds(BenchOptions options) {
        return 1;
    }

    @Override
    public Measurement measure(BenchEnvironment environment, Subject subject, int round, BenchOptions options) {
        RampResult off = new RampRun(environment, "off", options).measure();
        RampResult auto = new RampRun(environment, "auto", options).measure();
        new RampChart(off, auto).write(options.chartFile());
        Map<String, Double> extras = new LinkedHashMap<>();
        off.stepResults().forEach(each -> each.addToExtras(extras));
        auto.stepResults().forEach(each -> each.addToExtras(extras));
        extras.put(REVERSALS, (double) auto.maxReversalsPerMinute());
        return new Measurement(
                subject,
                round,
                auto.answered(),
                (double) auto.answered() / auto.samples().size(),
                (double) auto.cpuMicros() / Math.max(1, auto.answered()),
                auto.peakResidentBytes(),
                auto.peakHeapBytes(),
                extras);
    }

    @Override
    public boolean checkTargets(List<Measurement> all, PrintWriter out) {
        boolean met = true;
        for (Measurement one : all) {
            out.printf(
                    "  %-7s %8s %22s %9s %10s %6s %10s%n",
                    "advisor", "input/s", "lag under 1 s of work", "peak CPU", "in flight", "steps", "reversals");
            for (RampStepResult each : RampStepResult.fromExtras(one.extras())) {
                out.printf(
                        Locale.ROOT,
                        "  %-7s %8d %22s %8.0f%% %10d %6d %10d%n",
                        each.advisor(),
                        each.rate(),
                        Double.isInfinite(each.recoveredSeconds())
                                ? "never"
                                : String.format(Locale.ROOT, "after %.0f s", each.recoveredSeconds()),
                        each.peakCpuPercent(),
                        each.inFlightLimit(),
                        each.sizeChanges(),
                        each.reversals());
            }
            met &= isMet(one, out);
        }
        return met;
    }

    private static boolean isMet(Measurement one, PrintWriter out) {
        List<RampStepResult> auto = RampStepResult.fromExtras(one.extras()).stream()
                .filter(each -> each.advisor().equals("auto"))
                .toList();
        double slowest = auto.stream()
                .mapToDouble(RampStepResult::recoveredSeconds)
                .max()
                .orElse(Double.POSITIVE_INFINITY);
        double peakCpu =
                auto.stream().mapToDouble(RampStepResult::peakCpuPercent).max().orElse(Double.POSITIVE_INFINITY);
        double reversals = one.extras().get(REVERSALS);
        return check(out, "auto, seconds until the lag is under 1 s of work", slowest, MAX_RECOVERY_SECONDS)
                & check(out, "auto, peak CPU of the node in percent", peakCpu, MAX_CPU_PERCENT)
                & check(out, "auto, reversals in a minute", reversals, 1);
    }

    private static boolean check(PrintWriter out, String what, double value, double max) {
        boolean met = value <= max;
        out.printf(Locale.ROOT, "  %s: %.0f; at most %.0f: %s%n", what, value, max, met ? "met" : "missed");
        return met;
    }
}
