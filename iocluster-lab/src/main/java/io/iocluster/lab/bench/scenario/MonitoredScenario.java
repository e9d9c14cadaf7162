package io.iocluster.lab.bench.scenario;

import io.iocluster.lab.bench.queue.AnswerPoller;
import io.iocluster.lab.bench.queue.BenchQueues;
import io.iocluster.lab.bench.queue.LoadPattern;
import io.iocluster.lab.bench.run.AnswerCounter;
import io.iocluster.lab.bench.run.BacklogRun;
import io.iocluster.lab.bench.run.BenchEnvironment;
import io.iocluster.lab.bench.run.BenchOptions;
import io.iocluster.lab.bench.run.BenchReport;
import io.iocluster.lab.bench.run.Measurement;
import io.iocluster.lab.bench.run.Moment;
import io.iocluster.lab.bench.run.NodeAdminClient;
import io.iocluster.lab.bench.run.RunningSubject;
import io.iocluster.lab.bench.run.Scenario;
import io.iocluster.lab.bench.run.Subject;
import io.iocluster.lab.bench.run.SubjectSetup;
import io.iocluster.testkit.process.FreePorts;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Measures what it costs a node that a console and a Prometheus poll it. Windows with and without monitoring alternate
 * within one drain, because two identical drains differ by more than this cost.
 */
public final class MonitoredScenario implements Scenario {

    /** Minimum ratio of the throughput with and without monitoring. */
    private static final double MIN_RATIO = 0.97;

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
        int total = options.warmup() + options.monitoredWindows() * options.monitoredCalls();
        int port = FreePorts.find(1)[0];
        environment.target().resetRequestLog();
        try (BenchQueues queues = environment.newQueues()) {
            BacklogRun.enqueue(queues, environment.target().url("/ok"), total);
            SubjectSetup setup = new SubjectSetup(
                    queues, options.maxInFlight(), LoadPattern.BACKLOG, Map.of("admin.port", Integer.toString(port)));
            try (RunningSubject running = environment.start(subject, setup, options);
                    AnswerPoller seen = queues.answers()) {
                AnswerCounter answers = new AnswerCounter(running, seen);
                List<Window> windows = windows(environment, running, answers, port, options);
                BacklogRun.requireSuccess(running, queues, seen, answers.await(total));
                return new Measurement(
                        subject,
                        round,
                        windows.stream()
                                .mapToLong(window -> window.span().calls())
                                .sum(),
                        median(windows, true, Moment.Span::callsPerSecond),
                        median(windows, true, Moment.Span::cpuMicrosPerCall),
                        running.meter().peakResidentBytes(),
                        running.peakHeapBytes(),
                        extras(windows));
            }
        }
    }

    /**
     * Measures windows in the order without, with, with, without, so that a drift affects both kinds equally. Each
     * window starts where the previous one ended.
     */
    private static List<Window> windows(
            BenchEnvironment environment,
            RunningSubject running,
            AnswerCounter answers,
            int port,
            BenchOptions options) {
        NodeAdminClient admin = new NodeAdminClient(port);
        List<Window> windows = new ArrayList<>();
        answers.await(1);
        // Also warms up the code that serves the monitoring.
        try (MonitoringLoad monitoring = new MonitoringLoad(admin)) {
            answers.await(options.warmup());
        }
        Moment from = Moment.of(options.warmup(), environment, running, answers);
        for (int i = 0; i < options.monitoredWindows(); i++) {
            boolean watched = i % 4 == 1 || i % 4 == 2;
            long last = options.warmup() + (i + 1L) * options.monitoredCalls();
            Moment to;
            if (watched) {
                try (MonitoringLoad monitoring = new MonitoringLoad(admin)) {
                    to = Moment.of(last, environment, running, answers);
                }
            } else {
                to = Moment.of(last, environment, running, answers);
            }
            windows.add(new Window(watched, to.since(from)));
            from = to;
        }
        return windows;
    }

    private static Map<String, Double> extras(List<Window> windows) {
        Map<String, Double> extras = new LinkedHashMap<>();
        double alone = median(windows, false, Moment.Span::callsPerSecond);
        extras.put("alone calls/s", alone);
        extras.put("alone CPU µs", median(windows, false, Moment.Span::cpuMicrosPerCall));
        extras.put("left", median(windows, true, Moment.Span::callsPerSecond) / alone);
        return extras;
    }

    private static double median(List<Window> windows, boolean watched, ToDoubleFunction<Moment.Span> metric) {
        return BenchReport.median(windows.stream()
                .filter(window -> window.watched() == watched)
                .map(window -> metric.applyAsDouble(window.span()))
                .toList());
    }

    @Override
    public boolean checkTargets(List<Measurement> all, PrintWriter out) {
        boolean met = true;
        for (Measurement one : all) {
            double ratio = one.extras().get("left");
            boolean good = ratio >= MIN_RATIO;
            out.printf(
                    Locale.ROOT,
                    "watched ÷ alone, calls/s: %.3f (at least %.2f): %s%n",
                    ratio,
                    MIN_RATIO,
                    good ? "met" : "missed");
            met &= good;
        }
        return met;
    }

    private record Window(boolean watched, Moment.Span span) {}
}
