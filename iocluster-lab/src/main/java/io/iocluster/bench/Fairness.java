package io.iocluster.bench;

import io.iocluster.bench.FairRun.Served;
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
final class Fairness implements Scenario {

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
    public Measurement measure(Lab lab, Subject subject, int round, BenchOptions options) {
        try (Callees callees = Callees.with(lab.target())) {
            Tally alone = new FairRun(lab, callees, EnumSet.of(Callee.GOOD), options)
                    .measure()
                    .tally();
            Served mixed = new FairRun(lab, callees, EnumSet.allOf(Callee.class), options).measure();
            Map<String, Double> extras = new LinkedHashMap<>();
            extras.put("alone p50 ms", alone.goodMillis(50));
            extras.put("alone p99 ms", alone.goodMillis(99));
            extras.put("p50 ms", mixed.tally().goodMillis(50));
            extras.put("p99 ms", mixed.tally().goodMillis(99));
            return new Measurement(
                    subject,
                    round,
                    options.fairCalls(),
                    options.fairRate(),
                    (double) mixed.cpuMicros() / options.fairCalls(),
                    mixed.peakResidentBytes(),
                    mixed.peakHeapBytes(),
                    extras,
                    mixed.tally().endings());
        }
    }

    @Override
    public boolean judge(List<Measurement> all, PrintWriter out) {
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
        return Report.median(all.stream()
                .map(one -> one.extras().get(figure) / one.extras().get("alone " + figure))
                .toList());
    }
}
