package io.iocluster.lab.bench;

import io.iocluster.lab.load.result.LatencyHistogram;
import io.iocluster.testkit.target.TargetProcess;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Measures whether slow and cancelled calls slow down the siblings that share their HTTP/2 connection. The siblings start at a steady rate.
 * Windows with and without other calls take turns, so that a busy machine disturbs all of them alike.
 */
final class SiblingsScenario implements Scenario {

    /** Maximum ratio of the 99th percentiles beside other calls and alone. */
    private static final double MAX_RATIO = 1.05;

    /** Short, so that all kinds meet the same state of the machine. */
    private static final int WINDOW_SECONDS = 1;

    private static final String P50 = "p50 ms";

    private static final String P99 = "p99 ms";

    private static final String WAITS = "waits for a connection";

    @Override
    public String name() {
        return "siblings";
    }

    /** The naive loop speaks only HTTP/1.1. */
    @Override
    public boolean measures(Subject subject) {
        return subject == Subject.NODE;
    }

    /** Measures the HTTP client of a node in this process, without a broker. */
    @Override
    public Measurement measure(BenchEnvironment environment, Subject subject, int round, BenchOptions options) {
        ProcessMeter meter = new ProcessMeter(ProcessHandle.current().pid());
        try (TargetProcess target = TargetProcess.startWithHttp2(1);
                SharedConnectionCalls calls = new SharedConnectionCalls(target)) {
            for (int second = 0; second < options.warmupSeconds; second += WINDOW_SECONDS) {
                Disturbance[] kinds = Disturbance.values();
                calls.run(kinds[second % kinds.length], options.rate(), WINDOW_SECONDS);
            }
            calls.pollConnectionWaits();
            Map<Disturbance, List<LatencyHistogram>> windows = new EnumMap<>(Disturbance.class);
            Map<Disturbance, Integer> waits = new EnumMap<>(Disturbance.class);
            long cpuFrom = meter.cpuMicros();
            for (int second = 0; second < options.seconds; second += WINDOW_SECONDS) {
                for (Disturbance kind : Disturbance.values()) {
                    windows.computeIfAbsent(kind, any -> new ArrayList<>())
                            .add(calls.run(kind, options.rate(), WINDOW_SECONDS));
                    waits.merge(kind, calls.pollConnectionWaits(), Integer::sum);
                }
            }
            long cpu = meter.cpuMicros() - cpuFrom;
            long count = (long) options.rate() * options.seconds * Disturbance.values().length;
            Measurement measured = new Measurement(
                    subject, round, count, options.rate(), (double) cpu / count, meter.peakResidentBytes(), 0);
            windows.forEach((kind, latencies) -> {
                measured.extras().put(key(kind, P50), medianOf(latencies, 50));
                measured.extras().put(key(kind, P99), medianOf(latencies, 99));
                measured.extras().put(key(kind, WAITS), (double) waits.get(kind));
                measured.latencies().put(kind.label(), LatencyHistogram.sum(latencies));
            });
            return measured;
        }
    }

    /** Returns the median of a percentile over the windows, because a pause of the machine lasts for a few of them. */
    private static double medianOf(List<LatencyHistogram> windows, double percentile) {
        return BenchReport.median(windows, window -> window.millisAt(percentile));
    }

    private static String key(Disturbance disturbance, String metric) {
        return disturbance.label() + " " + metric;
    }

    @Override
    public boolean checkTargets(List<Measurement> all, PrintWriter out) {
        if (all.isEmpty()) {
            return true;
        }
        print(Disturbance.NONE, all, out);
        print(Disturbance.ORDINARY, all, out);
        return Stream.of(Disturbance.CANCELLED, Disturbance.TIMED_OUT, Disturbance.SLOW)
                .map(each -> check(each, all, out))
                .reduce(true, Boolean::logicalAnd);
    }

    private static void print(Disturbance disturbance, List<Measurement> all, PrintWriter out) {
        BenchReport.line(
                out,
                "%s: p50 %.2f ms, p99 %.2f ms; waited %.0f times for a connection",
                disturbance.label(),
                BenchReport.median(all, one -> one.extra(key(disturbance, P50))),
                BenchReport.median(all, one -> one.extra(key(disturbance, P99))),
                all.stream()
                        .mapToDouble(one -> one.extra(key(disturbance, WAITS)))
                        .sum());
    }

    private static boolean check(Disturbance disturbance, List<Measurement> all, PrintWriter out) {
        print(disturbance, all, out);
        double ratio = ratio(disturbance, all);
        return BenchReport.target(
                out,
                ratio <= MAX_RATIO,
                "%s ÷ %s, p99: %.3f; at most %.2f",
                disturbance.label(),
                Disturbance.ORDINARY.label(),
                ratio,
                MAX_RATIO);
    }

    /** Returns the median of the ratio over the rounds. */
    private static double ratio(Disturbance disturbance, List<Measurement> all) {
        return BenchReport.median(
                all, one -> one.extra(key(disturbance, P99)) / one.extra(key(Disturbance.ORDINARY, P99)));
    }
}
