package io.iocluster.lab.bench;

import io.iocluster.lab.load.html.Chart;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Measures whether a call costs the same however large the work is: the backlog, the number of partitions, hosts, calls in flight and nodes,
 * and the size of a body. Along each axis, only one size grows.
 */
final class ScaleScenario implements Scenario {

    /** The largest difference along an axis on which the CPU time of a call should not depend. */
    private static final double FLAT_WITHIN = 0.10;

    @Override
    public String name() {
        return "scale";
    }

    /** The naive loop has none of these limits. */
    @Override
    public boolean measures(Subject subject) {
        return subject == Subject.NODE;
    }

    @Override
    public Measurement measure(BenchEnvironment environment, Subject subject, int round, BenchOptions options) {
        List<ScaleRun.Result> results = new ArrayList<>();
        for (ScaleAxis axis : ScaleAxis.values()) {
            if (axis == ScaleAxis.PARTITIONS && environment.broker().partitions() == 0) {
                continue;
            }
            for (int value : options.scaleValues().getOrDefault(axis.label(), List.of())) {
                ScalePoint point = ScalePoint.of(
                        axis, value, options.scaleCalls, environment.broker().partitions(), options.maxInFlight);
                ScaleRun.Result result = new ScaleRun(environment, options, point).measure();
                System.out.printf(
                        Locale.ROOT,
                        "  %s: %.0f calls/s, %.1f µs%n",
                        point.label(),
                        result.work().callsPerSecond(),
                        result.work().cpuMicrosPerCall());
                results.add(result);
            }
        }
        return measurement(results, subject, round);
    }

    @Override
    public List<Chart> charts(List<Measurement> all) {
        return curves(all).stream().flatMap(curve -> curve.charts().stream()).toList();
    }

    private static List<ScaleCurve> curves(List<Measurement> rounds) {
        return Arrays.stream(ScaleAxis.values())
                .map(axis -> ScaleCurve.of(axis, rounds))
                .toList();
    }

    private static Measurement measurement(List<ScaleRun.Result> results, Subject subject, int round) {
        Map<String, Double> extras = new LinkedHashMap<>();
        long calls = 0;
        long cpu = 0;
        long nanos = 0;
        long resident = 0;
        for (ScaleRun.Result each : results) {
            WorkDone work = each.work();
            String point = each.point().label();
            extras.put(point + " " + ScaleCurve.RATE, work.callsPerSecond());
            extras.put(point + " " + ScaleCurve.CPU, work.cpuMicrosPerCall());
            extras.put(point + " target µs", (double) work.targetMicros() / work.calls());
            extras.put(point + " broker µs", (double) work.brokerMicros() / work.calls());
            extras.put(point + " RSS MiB", each.residentBytes() / 1_048_576.0);
            extras.put(point + " peak open", (double) each.peakOpen());
            calls += work.calls();
            cpu += work.cpuMicros();
            nanos += work.nanos();
            resident = Math.max(resident, each.residentBytes());
        }
        Measurement measured = new Measurement(
                subject, round, calls, calls * 1e9 / nanos, (double) cpu / Math.max(1, calls), resident, 0);
        measured.extras().putAll(extras);
        return measured;
    }

    /** Prints the median of each point over the rounds, and the bends. Never fails, because the values depend on the machine. */
    @Override
    public boolean checkTargets(List<Measurement> all, PrintWriter out) {
        curves(all).forEach(each -> each.print(out, FLAT_WITHIN));
        return true;
    }
}
