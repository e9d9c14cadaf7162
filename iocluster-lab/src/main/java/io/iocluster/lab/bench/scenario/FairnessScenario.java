package io.iocluster.lab.bench.scenario;

import io.iocluster.lab.bench.run.BenchEnvironment;
import io.iocluster.lab.bench.run.BenchOptions;
import io.iocluster.lab.bench.run.BenchReport;
import io.iocluster.lab.bench.run.Measurement;
import io.iocluster.lab.bench.run.Scenario;
import io.iocluster.lab.bench.run.Subject;
import io.iocluster.lab.bench.scenario.FairnessRun.FairnessRunResult;
import java.io.PrintWriter;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Does a good host wait for bad ones? A node makes calls to a good host alone, then another makes the same calls at the same
 * times with one and a half times as many between them to a dead, a slow and a failing host; the times of the good ones are compared.
 */
public final class FairnessScenario implements Scenario {

    /** So many times what it is alone may the 99th percentile be beside bad hosts. */
    private static final double MOST = 1.3;

    @Override
    public String name() {
        return "fairness";
    }

    /** The naive loop promises nothing here. */
    @Override
    public boolean measures(Subject subject) {
        return subject == Subject.NODE;
    }

    @Override
    public Measurement measure(BenchEnvironment lab, Subject subject, int round, BenchOptions options) {
        try (FairnessTargets callees = FairnessTargets.startBadTargets(lab.target())) {
            FairnessTally alone = new FairnessRun(lab, callees, EnumSet.of(FairnessTarget.GOOD), options)
                    .measure()
                    .tally();
            FairnessRunResult mixed =
                    new FairnessRun(lab, callees, EnumSet.allOf(FairnessTarget.class), options).measure();
            Map<String, Double> extras = new LinkedHashMap<>();
            extras.put("alone p50 ms", alone.goodPercentileMillis(50));
            extras.put("alone p99 ms", alone.goodPercentileMillis(99));
            extras.put("p50 ms", mixed.tally().goodPercentileMillis(50));
            extras.put("p99 ms", mixed.tally().goodPercentileMillis(99));
            return new Measurement(
                    subject,
                    round,
                    options.fairnessCalls(),
                    options.fairnessRate(),
                    (double) mixed.cpuMicros() / options.fairnessCalls(),
                    mixed.peakResidentBytes(),
                    mixed.peakHeapBytes(),
                    extras,
                    mixed.tally().outcomes());
        }
    }

    @Override
    public boolean checkTargets(List<Measurement> all, PrintWriter out) {
        if (all.isEmpty()) {
            return true;
        }
        double p99 = ratio(all, "p99 ms");
        boolean kept = p99 <= MOST;
        out.printf(Locale.ROOT, "  beside bad hosts ÷ alone, p50 ms: %.3f%n", ratio(all, "p50 ms"));
        out.printf(
                Locale.ROOT,
                "  beside bad hosts ÷ alone, p99 ms: %.3f; at most %.1f: %s%n",
                p99,
                MOST,
                kept ? "kept" : "broken");
        return kept;
    }

    /** The median over the rounds. */
    private static double ratio(List<Measurement> all, String figure) {
        return BenchReport.median(all.stream()
                .map(one -> one.extras().get(figure) / one.extras().get("alone " + figure))
                .toList());
    }
}
