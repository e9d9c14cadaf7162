package io.iocluster.lab.bench;

import io.iocluster.lab.bench.broker.AnswerPoller;
import io.iocluster.lab.bench.broker.BenchQueues;
import io.iocluster.lab.bench.broker.LoadPattern;
import io.iocluster.testkit.process.FreePorts;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Measures what monitoring costs a node: the event stream of a console, the scrapes of a Prometheus, an open tap, and the announcements. Windows of
 * each kind alternate within one drain, because two identical drains differ by more than this cost. The announcements cannot be
 * switched off within a drain, so the CPU time of their threads is measured instead.
 */
final class MonitoredScenario implements Scenario {

    /** Minimum share of the throughput that is left with the console, the Prometheus and the announcements. */
    private static final double MIN_RATIO = 0.97;

    /** The order of the windows of a block, so that a drift affects all kinds equally. */
    private static final List<Kind> BLOCK =
            List.of(Kind.ALONE, Kind.WATCHED, Kind.TAPPED, Kind.TAPPED, Kind.WATCHED, Kind.ALONE);

    /** Part of the names of all threads that send, receive and evaluate announcements. */
    private static final String ANNOUNCING_THREADS = "-cluster";

    private static final Duration SCRAPE_INTERVAL = Duration.ofSeconds(5);

    private static final double MICROS_PER_NANO = 1e-3;

    /** What monitors the node during a window. */
    private enum Kind {
        ALONE,
        WATCHED,
        /** Watched, and with an open tap. */
        TAPPED
    }

    @Override
    public String name() {
        return "watched";
    }

    /** The naive loop has no admin server. */
    @Override
    public boolean measures(Subject subject) {
        return subject == Subject.NODE;
    }

    /** The windows replace the rounds. */
    @Override
    public int rounds(BenchOptions options) {
        return 1;
    }

    @Override
    public Measurement measure(BenchEnvironment environment, Subject subject, int round, BenchOptions options) {
        int blocks = Math.max(1, options.monitoredWindows / BLOCK.size());
        int total = options.warmup() + blocks * BLOCK.size() * options.monitoredCalls;
        int port = FreePorts.find(1)[0];
        environment.target().resetRequestLog();
        try (BenchQueues queues = environment.newQueues()) {
            Backlog.enqueue(queues, List.of(environment.target().url("/ok")), total);
            SubjectSetup setup = new SubjectSetup(
                    queues, options.maxInFlight, LoadPattern.BACKLOG, Map.of("admin.port", Integer.toString(port)));
            try (RunningSubject running = environment.start(subject, setup, options);
                    AnswerPoller poller = queues.answers()) {
                Backlog backlog = new Backlog(environment, queues, List.of(running), poller);
                Drain drain = drain(backlog, new NodeAdmin(port), blocks, options);
                backlog.await(total);
                backlog.requireSuccess(total);
                List<Window> windows =
                        drain.blocks().stream().flatMap(List::stream).toList();
                Measurement measured = new Measurement(
                        running,
                        round,
                        windows.stream()
                                .mapToLong(window -> window.work().calls())
                                .sum(),
                        median(windows, Kind.WATCHED, WorkDone::callsPerSecond),
                        median(windows, Kind.WATCHED, WorkDone::cpuMicrosPerCall));
                measured.extras().putAll(extras(drain, windows));
                return measured;
            }
        }
    }

    /** Measures the windows. Each one starts where the previous one ended. */
    private static Drain drain(Backlog backlog, NodeAdmin admin, int blocks, BenchOptions options) {
        backlog.await(1);
        // Also warms up the code that serves the monitoring.
        try (MonitoringLoad monitoring = new MonitoringLoad(admin, true, SCRAPE_INTERVAL)) {
            backlog.await(options.warmup());
        }
        Duration announcing = admin.threadCpu(ANNOUNCING_THREADS);
        WorkDone from = backlog.await(options.warmup());
        WorkDone start = from;
        List<List<Window>> all = new ArrayList<>();
        long last = options.warmup();
        for (int i = 0; i < blocks; i++) {
            List<Window> block = new ArrayList<>();
            for (Kind kind : BLOCK) {
                last += options.monitoredCalls;
                WorkDone to = end(kind, last, backlog, admin);
                block.add(new Window(kind, to.since(from)));
                from = to;
            }
            all.add(block);
        }
        double announcingMicros =
                admin.threadCpu(ANNOUNCING_THREADS).minus(announcing).toNanos() * MICROS_PER_NANO;
        return new Drain(all, announcingMicros / from.since(start).cpuMicros());
    }

    /** Waits for the end of a window. */
    private static WorkDone end(Kind kind, long last, Backlog backlog, NodeAdmin admin) {
        if (kind == Kind.ALONE) {
            return backlog.await(last);
        }
        try (MonitoringLoad monitoring = new MonitoringLoad(admin, kind == Kind.TAPPED, SCRAPE_INTERVAL)) {
            return backlog.await(last);
        }
    }

    private static Map<String, Double> extras(Drain drain, List<Window> windows) {
        Map<String, Double> extras = new LinkedHashMap<>();
        extras.put("alone calls/s", median(windows, Kind.ALONE, WorkDone::callsPerSecond));
        extras.put("alone CPU µs", median(windows, Kind.ALONE, WorkDone::cpuMicrosPerCall));
        for (Kind kind : List.of(Kind.WATCHED, Kind.TAPPED)) {
            String name = kind.name().toLowerCase(Locale.ROOT);
            putRatios(extras, name + " calls/s", drain, kind, WorkDone::callsPerSecond);
            putRatios(extras, name + " CPU", drain, kind, WorkDone::cpuMicrosPerCall);
        }
        extras.put("announcing CPU", drain.announcing());
        extras.put("remaining throughput", extras.get("watched calls/s") - drain.announcing());
        return extras;
    }

    /** Puts the median, the smallest and the largest ratio of the blocks. */
    private static void putRatios(
            Map<String, Double> extras, String name, Drain drain, Kind kind, ToDoubleFunction<WorkDone> metric) {
        List<Double> ratios = drain.blocks().stream()
                .map(block -> mean(block, kind, metric) / mean(block, Kind.ALONE, metric))
                .sorted()
                .toList();
        extras.put(name, BenchReport.median(ratios, Double::doubleValue));
        extras.put(name + " from", ratios.get(0));
        extras.put(name + " to", ratios.get(ratios.size() - 1));
    }

    private static double mean(List<Window> block, Kind kind, ToDoubleFunction<WorkDone> metric) {
        return block.stream()
                .filter(window -> window.kind() == kind)
                .mapToDouble(window -> metric.applyAsDouble(window.work()))
                .average()
                .orElseThrow();
    }

    private static double median(List<Window> windows, Kind kind, ToDoubleFunction<WorkDone> metric) {
        return BenchReport.median(
                windows.stream().filter(window -> window.kind() == kind).toList(),
                window -> metric.applyAsDouble(window.work()));
    }

    @Override
    public boolean checkTargets(List<Measurement> all, PrintWriter out) {
        boolean met = true;
        for (Measurement one : all) {
            BenchReport.line(
                    out, "alone: %.0f calls/s, %.1f µs CPU", one.extra("alone calls/s"), one.extra("alone CPU µs"));
            for (String ratio : List.of("watched calls/s", "watched CPU", "tapped calls/s", "tapped CPU")) {
                BenchReport.line(
                        out,
                        "%s ÷ alone: %.3f (%.3f to %.3f)",
                        ratio,
                        one.extra(ratio),
                        one.extra(ratio + " from"),
                        one.extra(ratio + " to"));
            }
            BenchReport.line(out, "announcements ÷ the node's CPU time: %.2f %%", 100 * one.extra("announcing CPU"));
            double remaining = one.extra("remaining throughput");
            met &= BenchReport.target(
                    out,
                    remaining >= MIN_RATIO,
                    "throughput with console, Prometheus and announcements ÷ without them: %.3f (at least %.2f)",
                    remaining,
                    MIN_RATIO);
        }
        return met;
    }

    /**
     * The measurements of one drain.
     *
     * @param blocks the windows of each block
     * @param announcing share of the node's CPU time that its announcements take
     */
    private record Drain(List<List<Window>> blocks, double announcing) {}

    private record Window(Kind kind, WorkDone work) {}
}
