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
 * What it costs a node that a console and a Prometheus look at it. Windows of one drain take turns, with and without them: two
 * drains that do the same differ by more than what is looked for.
 */
public final class MonitoredScenario implements Scenario {

    /** So much of the throughput must be left. */
    private static final double LEAST_LEFT = 0.97;

    @Override
    public String name() {
        return "watched";
    }

    /** The naive loop has nothing to look at. */
    @Override
    public boolean measures(Subject subject) {
        return subject == Subject.NODE;
    }

    /** The windows are the rounds. */
    @Override
    public int rounds(BenchOptions options) {
        return 1;
    }

    @Override
    public Measurement measure(BenchEnvironment lab, Subject subject, int round, BenchOptions options) {
        int total = options.warmup() + options.monitoredWindows() * options.monitoredCalls();
        int port = FreePorts.find(1)[0];
        lab.target().resetRequestLog();
        try (BenchQueues queues = lab.newQueues()) {
            BacklogRun.enqueue(queues, lab.target().url("/ok"), total);
            SubjectSetup setup = new SubjectSetup(
                    queues, options.maxInFlight(), LoadPattern.BACKLOG, Map.of("admin.port", Integer.toString(port)));
            try (RunningSubject running = lab.start(subject, setup, options);
                    AnswerPoller seen = queues.answers()) {
                AnswerCounter answers = new AnswerCounter(running, seen);
                List<Window> windows = windows(running, answers, port, options);
                BacklogRun.requireSuccess(running, queues, seen, answers.await(total));
                return new Measurement(
                        subject,
                        round,
                        windows.stream().mapToLong(Window::calls).sum(),
                        median(windows, true, Window::callsPerSecond),
                        median(windows, true, Window::cpuMicrosPerCall),
                        running.meter().peakResidentBytes(),
                        running.peakHeapBytes(),
                        extras(windows));
            }
        }
    }

    /** Without, with, with, without, and again, so that what drifts meets both alike. */
    private static List<Window> windows(RunningSubject running, AnswerCounter answers, int port, BenchOptions options) {
        NodeAdminClient admin = new NodeAdminClient(port);
        List<Window> windows = new ArrayList<>();
        answers.await(1);
        // The JVM compiles for those who look, too.
        try (MonitoringLoad onlooker = new MonitoringLoad(admin)) {
            answers.await(options.warmup());
        }
        Moment from = Moment.now(running, answers, options.warmup());
        for (int i = 0; i < options.monitoredWindows(); i++) {
            boolean watched = i % 4 == 1 || i % 4 == 2;
            long last = options.warmup() + (i + 1L) * options.monitoredCalls();
            Moment to;
            if (watched) {
                try (MonitoringLoad onlooker = new MonitoringLoad(admin)) {
                    to = Moment.now(running, answers, last);
                }
            } else {
                to = Moment.now(running, answers, last);
            }
            windows.add(new Window(
                    watched, to.count() - from.count(), to.nanos() - from.nanos(), to.cpuMicros() - from.cpuMicros()));
            from = to;
        }
        return windows;
    }

    private static Map<String, Double> extras(List<Window> windows) {
        Map<String, Double> extras = new LinkedHashMap<>();
        double alone = median(windows, false, Window::callsPerSecond);
        extras.put("alone calls/s", alone);
        extras.put("alone CPU µs", median(windows, false, Window::cpuMicrosPerCall));
        extras.put("left", median(windows, true, Window::callsPerSecond) / alone);
        return extras;
    }

    private static double median(List<Window> windows, boolean watched, ToDoubleFunction<Window> figure) {
        return BenchReport.median(windows.stream()
                .filter(window -> window.watched() == watched)
                .map(window -> figure.applyAsDouble(window))
                .toList());
    }

    @Override
    public boolean checkTargets(List<Measurement> all, PrintWriter out) {
        boolean kept = true;
        for (Measurement one : all) {
            double left = one.extras().get("left");
            boolean good = left >= LEAST_LEFT;
            out.printf(
                    Locale.ROOT,
                    "watched ÷ alone, calls/s: %.3f (at least %.2f): %s%n",
                    left,
                    LEAST_LEFT,
                    good ? "kept" : "NOT KEPT");
            kept &= good;
        }
        return kept;
    }

    /** How far the node was. Each window begins where the one before it ended, so that nothing is between them. */
    private record Moment(long count, long nanos, long cpuMicros) {

        /** Once there are so many answers. */
        static Moment now(RunningSubject running, AnswerCounter answers, long wanted) {
            long count = answers.await(wanted);
            return new Moment(count, System.nanoTime(), running.meter().cpuMicros());
        }
    }

    private record Window(boolean watched, long calls, long nanos, long cpuMicros) {

        double callsPerSecond() {
            return calls * 1e9 / nanos;
        }

        double cpuMicrosPerCall() {
            return (double) cpuMicros / calls;
        }
    }
}
