package io.iocluster.lab.bench;

import io.iocluster.lab.bench.broker.AnswerPoller;
import io.iocluster.lab.bench.broker.BenchQueues;
import io.iocluster.lab.bench.broker.LoadPattern;
import io.iocluster.lab.load.html.Chart;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Measures whether a call costs the same however large the work is: the backlog, the number of partitions, hosts, calls in flight and nodes,
 * and the size of a body. Along each axis, only one size grows.
 */
final class ScaleScenario implements Scenario {

    /** The largest difference along an axis on which the CPU time of a call should not depend. */
    private static final double FLAT_WITHIN = 0.10;

    /** This share of the warm-up calls, or one for each host, is like the measured calls, and opens their connections. */
    private static final double LIKE_THE_MEASURED = 0.05;

    /** No call fails for a full queue, because a backlog for many hosts fills all queues. */
    private static final String PATIENT = "10s";

    /**
     * The result of a point.
     *
     * @param work from the end of the warm-up to the last answer, with the CPU time of all nodes
     * @param residentBytes peak of the node that used most
     * @param peakOpen most requests that were open at the target at once
     */
    private record Result(ScalePoint point, WorkDone work, long residentBytes, int peakOpen) {}

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
        int partitions = environment.broker().partitions();
        List<Result> results = new ArrayList<>();
        for (ScaleAxis axis : ScaleAxis.values()) {
            if (axis == ScaleAxis.PARTITIONS && partitions == 0) {
                continue;
            }
            for (int value : options.scaleValues().getOrDefault(axis.label(), List.of())) {
                ScalePoint point = ScalePoint.of(axis, value, options.scaleCalls, partitions, options.maxInFlight);
                Result result = measure(environment, point, options);
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

    /** Enqueues a backlog, starts the nodes, and measures from the end of the warm-up to the last answer. */
    private static Result measure(BenchEnvironment environment, ScalePoint point, BenchOptions options) {
        environment.requireHosts(point.hosts());
        environment.target().resetRequestLog();
        try (BenchQueues queues = environment.broker().newQueues(point.partitions())) {
            int quick = options.warmup() * point.nodes();
            int like =
                    Math.min(point.calls(), (int) Math.max(point.hosts() * point.nodes(), quick * LIKE_THE_MEASURED));
            Backlog.enqueue(queues, List.of(environment.target().url("/ok")), quick);
            List<String> urls = IntStream.range(0, point.hosts())
                    .mapToObj(host -> environment.target().url(host, point.path()))
                    .toList();
            Backlog.enqueue(queues, urls, like + point.calls());
            List<RunningSubject> nodes = new ArrayList<>();
            try (AnswerPoller poller = queues.answers()) {
                for (int number = 1; number <= point.nodes(); number++) {
                    Map<String, String> settings =
                            Map.of("node.id", "bench-" + number, "destination-defaults.backpressure-timeout", PATIENT);
                    SubjectSetup setup = new SubjectSetup(queues, point.maxInFlight(), LoadPattern.BACKLOG, settings);
                    nodes.add(environment.start(Subject.NODE, setup, options));
                }
                return watch(new Backlog(environment, queues, nodes, poller), quick + like, point);
            } finally {
                nodes.forEach(RunningSubject::close);
            }
        }
    }

    private static Result watch(Backlog backlog, int warmUpCalls, ScalePoint point) {
        long total = (long) warmUpCalls + point.calls();
        WorkDone start = backlog.await(warmUpCalls);
        if (start.calls() >= total) {
            throw backlog.failure("finished during the warm-up; increase the number of measured calls");
        }
        WorkDone work = backlog.await(total).since(start);
        long resident = backlog.running().stream()
                .mapToLong(each -> each.meter().peakResidentBytes())
                .max()
                .orElseThrow();
        backlog.requireSuccess(total);
        return new Result(point, work, resident, backlog.environment().peakOpenRequests());
    }

    private static Measurement measurement(List<Result> results, Subject subject, int round) {
        long calls = results.stream().mapToLong(each -> each.work().calls()).sum();
        long nanos = results.stream().mapToLong(each -> each.work().nanos()).sum();
        long cpu = results.stream().mapToLong(each -> each.work().cpuMicros()).sum();
        long resident = results.stream().mapToLong(Result::residentBytes).max().orElse(0);
        Measurement measured = new Measurement(
                subject, round, calls, calls * 1e9 / nanos, (double) cpu / Math.max(1, calls), resident, 0);
        Map<String, Double> extras = measured.extras();
        for (Result each : results) {
            WorkDone work = each.work();
            String point = each.point().label();
            extras.put(point + " " + ScaleCurve.RATE, work.callsPerSecond());
            extras.put(point + " " + ScaleCurve.CPU, work.cpuMicrosPerCall());
            extras.put(point + " target µs", (double) work.targetMicros() / work.calls());
            extras.put(point + " broker µs", (double) work.brokerMicros() / work.calls());
            extras.put(point + " RSS MiB", each.residentBytes() / 1_048_576.0);
            extras.put(point + " peak open", (double) each.peakOpen());
        }
        return measured;
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

    /** Prints the median of each point over the rounds, and the bends. Never fails, because the values depend on the machine. */
    @Override
    public boolean checkTargets(List<Measurement> all, PrintWriter out) {
        curves(all).forEach(each -> each.print(out, FLAT_WITHIN));
        return true;
    }
}
