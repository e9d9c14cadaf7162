package io.iocluster.lab.bench;

import io.iocluster.lab.bench.FairnessRun.FairnessRunResult;
import io.iocluster.lab.load.result.LatencyHistogram;
import java.io.PrintWriter;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Measures whether bad hosts slow down calls to a good one. One node calls only a good host. Another makes the same
 * calls at the same rate, and one and a half times as many calls to a dead, a slow and a failing host. The latencies
 * of the good host are compared.
 */
final class FairnessScenario implements Scenario {

    /** Maximum ratio of the 99th percentiles with and without bad hosts. */
    private static final double MAX_RATIO = 1.3;

    @Override
    public String name() {
        return "fairness";
    }

    /** The naive loop does not isolate hosts. */
    @Override
    public boolean measures(Subject subject) {
        return subject == Subject.NODE;
    }

    @Override
    public Measurement measure(BenchEnvironment environment, Subject subject, int round, BenchOptions options) {
        try (FairnessTargets targets = FairnessTargets.startBadTargets(environment.target())) {
            FairnessTally alone = new FairnessRun(environment, targets, EnumSet.of(FairnessTarget.GOOD), options)
                    .measure()
                    .tally();
            FairnessRunResult mixed =
                    new FairnessRun(environment, targets, EnumSet.allOf(FairnessTarget.class), options).measure();
            Map<String, Double> extras = new LinkedHashMap<>();
            LatencyHistogram before = alone.goodLatency();
            LatencyHistogram beside = mixed.tally().goodLatency();
            extras.put("alone p50 ms", before.millisAt(50));
            extras.put("alone p99 ms", before.millisAt(99));
            extras.put("p50 ms", beside.millisAt(50));
            extras.put("p99 ms", beside.millisAt(99));
            Map<String, LatencyHistogram> latencies = new LinkedHashMap<>();
            latencies.put("good host alone", before);
            latencies.put("good host beside bad ones", beside);
            return new Measurement(
                            subject,
                            round,
                            options.fairCalls,
                            options.fairRate,
                            (double) mixed.cpuMicros() / options.fairCalls,
                            mixed.peakResidentBytes(),
                            mixed.peakHeapBytes(),
                            extras)
                    .withLatencies(latencies)
                    .withOutcomes(mixed.tally().outcomes());
        }
    }

    @Override
    public boolean checkTargets(List<Measurement> all, PrintWriter out) {
        if (all.isEmpty()) {
            return true;
        }
        double p99 = ratio(all, "p99 ms");
        boolean met = p99 <= MAX_RATIO;
        out.printf(Locale.ROOT, "  with bad hosts ÷ alone, p50 ms: %.3f%n", ratio(all, "p50 ms"));
        out.printf(
                Locale.ROOT,
                "  with bad hosts ÷ alone, p99 ms: %.3f; at most %.1f: %s%n",
                p99,
                MAX_RATIO,
                met ? "met" : "missed");
        return met;
    }

    /** Returns the median of the ratio over the rounds. */
    private static double ratio(List<Measurement> all, String metric) {
        return BenchReport.median(all.stream()
                .map(one -> one.extras().get(metric) / one.extras().get("alone " + metric))
                .toList());
    }
}
