package io.iocluster.lab.bench;

import io.iocluster.lab.bench.BenchOptions.StartWindows;
import io.iocluster.lab.bench.broker.AnswerPoller;
import io.iocluster.lab.bench.broker.BenchQueues;
import io.iocluster.lab.bench.broker.EnvelopeWriter;
import io.iocluster.lab.bench.broker.LoadPattern;
import io.iocluster.lab.load.result.LatencyHistogram;
import io.iocluster.lab.load.schedule.Schedule;
import io.iocluster.testkit.process.FreePorts;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures how long a node takes to start, and whether its first calls are as fast as later ones. An installed node starts with its
 * default warm-up, on a warm broker. Calls to a target that takes 100 ms are due at a steady rate from the moment at which
 * {@code /readyz} returns 200.
 */
final class StartScenario implements Scenario {

    /** Maximum ratio of the 99th percentiles of the first seconds and of the steady part. */
    private static final double MAX_RATIO = 1.5;

    /** The first version of Java whose cache has profiles for the JIT compilers. */
    private static final int JAVA_WITH_PROFILES = 25;

    private static final double MAX_READY_SECONDS = 10;
    private static final double MAX_READY_SECONDS_WITH_PROFILES = 6;

    private static final Duration READY_TIMEOUT = Duration.ofMinutes(2);
    private static final long READY_POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final InstalledNode node;
    private final int javaVersion;

    /**
     * Creates a scenario.
     *
     * @param home the folder of the distribution
     * @param javaVersion the feature version of Java that the node runs on
     */
    StartScenario(Path home, int javaVersion) {
        this.node = new InstalledNode(home);
        this.javaVersion = javaVersion;
    }

    @Override
    public String name() {
        return "start";
    }

    /** The naive loop has no warm-up. */
    @Override
    public boolean measures(Subject subject) {
        return subject == Subject.NODE;
    }

    @Override
    public Measurement measure(BenchEnvironment environment, Subject subject, int round, BenchOptions options) {
        String url = environment.target().url("/delay?ms=100");
        try (BenchQueues queues = environment.newQueues();
                EnvelopeWriter envelopes = queues.envelopes(LoadPattern.STEADY);
                AnswerPoller poller = queues.answers()) {
            // Makes calls through another node, so that the broker, the queues, the target and this process are warm.
            SubjectSetup noWarmUp =
                    new SubjectSetup(queues, options.maxInFlight, LoadPattern.STEADY, Map.of("node.warm-up", "0s"));
            try (RunningSubject earlier = environment.start(subject, noWarmUp, options)) {
                OpenLoop loop = new OpenLoop(earlier, envelopes, poller);
                loop.warmUp(queues, url, environment.target().url("/ok"), options.warmup());
                loop.warmUpAtRate(number -> url, options.rate(), options.warmupSeconds);
            }
            int port = FreePorts.find(1)[0];
            SubjectSetup setup = new SubjectSetup(
                    queues, options.maxInFlight, LoadPattern.STEADY, Map.of("admin.port", Integer.toString(port)));
            long started = System.nanoTime();
            try (RunningSubject running = node.start(setup, options)) {
                awaitReady(running, new NodeAdmin(port));
                double readySeconds = (System.nanoTime() - started) / 1e9;
                return measure(new OpenLoop(running, envelopes, poller), url, readySeconds, round, options);
            }
        }
    }

    private static void awaitReady(RunningSubject running, NodeAdmin admin) {
        long giveUp = System.nanoTime() + READY_TIMEOUT.toNanos();
        while (!admin.isReady()) {
            running.requireAlive();
            if (System.nanoTime() - giveUp > 0) {
                throw running.failure("was not ready within " + READY_TIMEOUT.toSeconds() + " s");
            }
            LockSupport.parkNanos(READY_POLL_NANOS);
        }
    }

    private static Measurement measure(
            OpenLoop loop, String url, double readySeconds, int round, BenchOptions options) {
        StartWindows windows = options.startWindows();
        StartLatencies latencies = new StartLatencies(windows);
        int calls = options.rate() * windows.steadyTo();
        RunningSubject running = loop.running();
        long cpu = running.meter().cpuMicros();
        loop.run(Schedule.constant(options.rate(), calls), number -> url, (number, answer, nanos) -> {
            latencies.add(number / options.rate(), nanos);
            return answer.isOk();
        });
        double cpuPerCall = (double) (running.meter().cpuMicros() - cpu) / calls;
        LatencyHistogram first = latencies.first();
        LatencyHistogram steady = latencies.steady();
        Measurement measured = new Measurement(running, round, calls, options.rate(), cpuPerCall);
        measured.extras().put("ready s", readySeconds);
        measured.extras().put("start CPU s", cpu / 1e6);
        measured.extras().put("cache MiB", (double) (InstalledNode.cacheBytes(running) >> 20));
        measured.extras().put("first p50 ms", first.millisAt(50));
        measured.extras().put("first p99 ms", first.millisAt(99));
        measured.extras().put("steady p50 ms", steady.millisAt(50));
        measured.extras().put("steady p99 ms", steady.millisAt(99));
        measured.latencies().put("first " + windows.first() + " s", first);
        measured.latencies().put("steady", steady);
        return measured;
    }

    @Override
    public boolean checkTargets(List<Measurement> all, PrintWriter out) {
        if (all.isEmpty()) {
            return true;
        }
        double p99 = ratio(all, "p99 ms");
        double ready = BenchReport.median(all, one -> one.extra("ready s"));
        double maxReady = javaVersion >= JAVA_WITH_PROFILES ? MAX_READY_SECONDS_WITH_PROFILES : MAX_READY_SECONDS;
        BenchReport.line(out, "first ÷ steady, p50 ms: %.3f", ratio(all, "p50 ms"));
        return BenchReport.target(out, p99 <= MAX_RATIO, "first ÷ steady, p99 ms: %.3f; at most %.1f", p99, MAX_RATIO)
                & BenchReport.target(
                        out,
                        ready <= maxReady,
                        "ready after %.2f s; at most %.0f s on Java %d",
                        ready,
                        maxReady,
                        javaVersion);
    }

    private static double ratio(List<Measurement> all, String metric) {
        return BenchReport.median(all, one -> one.extra("first " + metric) / one.extra("steady " + metric));
    }
}
