package io.iocluster.lab.bench;

import io.iocluster.lab.load.result.LatencyHistogram;
import java.io.PrintWriter;
import java.util.EnumSet;
import java.util.List;

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
        try (FairnessTargets targets = new FairnessTargets(environment.target())) {
            FairnessRun alone = new FairnessRun();
            alone.measure(environment, targets, EnumSet.of(FairnessTarget.GOOD), round, options);
            FairnessRun mixed = new FairnessRun();
            Measurement measured =
                    mixed.measure(environment, targets, EnumSet.allOf(FairnessTarget.class), round, options);
            LatencyHistogram before = alone.goodLatency();
            LatencyHistogram beside = mixed.goodLatency();
            measured.extras().put("alone p50 ms", before.millisAt(50));
            measured.extras().put("alone p99 ms", before.millisAt(99));
            measured.extras().put("p50 ms", beside.millisAt(50));
            measured.extras().put("p99 ms", beside.millisAt(99));
            measured.latencies().put("good host alone", before);
            measured.latencies().put("good host beside bad ones", beside);
            measured.outcomes().putAll(mixed.outcomes());
            return measured;
        }
    }

    @Override
    public boolean checkTargets(List<Measurement> all, PrintWriter out) {
        if (all.isEmpty()) {
            return true;
        }
        double p99 = ratio(all, "p99 ms");
        BenchReport.line(out, "with bad hosts ÷ alone, p50 ms: %.3f", ratio(all, "p50 ms"));
        return BenchReport.target(
                out, p99 <= MAX_RATIO, "with bad hosts ÷ alone, p99 ms: %.3f; at most %.1f", p99, MAX_RATIO);
    }

    /** Returns the median of the ratio over the rounds. */
    private static double ratio(List<Measurement> all, String metric) {
        return BenchReport.median(all, one -> one.extra(metric) / one.extra("alone " + metric));
    }
}
