package io.iocluster.lab.bench;

import io.iocluster.lab.bench.broker.AnswerPoller;
import io.iocluster.lab.bench.broker.BenchQueues;
import io.iocluster.lab.bench.broker.EnvelopeWriter;
import io.iocluster.lab.bench.broker.LoadPattern;
import io.iocluster.lab.bench.broker.PolledAnswer;
import io.iocluster.lab.load.result.LatencyHistogram;
import io.iocluster.lab.load.schedule.Pacer;
import io.iocluster.lab.load.schedule.Schedule;
import io.iocluster.testkit.process.FreePorts;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Starts an installed node once, and measures its first calls and later ones. */
record StartRun(BenchEnvironment environment, InstalledNode node, BenchOptions options) {

    private static final Duration READY_TIMEOUT = Duration.ofMinutes(2);

    private static final long READY_POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private static final Duration LAST_ANSWER_TIMEOUT = Duration.ofSeconds(30);

    private static final double NANOS_PER_SECOND = 1e9;

    private static final double MICROS_PER_SECOND = 1e6;

    Measurement measure(int round) {
        String url = environment.target().url("/delay?ms=100");
        try (BenchQueues queues = environment.newQueues();
                EnvelopeWriter envelopes = queues.envelopes(LoadPattern.STEADY);
                AnswerPoller poller = queues.answers()) {
            warmUp(queues, envelopes, poller, url);
            int port = FreePorts.find(1)[0];
            SubjectSetup setup = new SubjectSetup(
                    queues, options.maxInFlight, LoadPattern.STEADY, Map.of("admin.port", Integer.toString(port)));
            long started = System.nanoTime();
            try (RunningSubject running = node.start(setup, options)) {
                awaitReady(running, new NodeAdminClient(port));
                double readySeconds = (System.nanoTime() - started) / NANOS_PER_SECOND;
                long cpu = running.meter().cpuMicros();
                StartLatencies latencies = makeCalls(running, envelopes, poller, url);
                double cpuPerCall = (double) (running.meter().cpuMicros() - cpu) / latencies.answered();
                Map<String, Double> extras = new LinkedHashMap<>();
                extras.put("ready s", readySeconds);
                extras.put("start CPU s", cpu / MICROS_PER_SECOND);
                extras.put("cache MiB", (double) (InstalledNode.cacheBytes(running) >> 20));
                return measurement(running, round, cpuPerCall, latencies, extras);
            }
        }
    }

    /** Makes calls through another node and ends it, so that the broker, the queues, the target and this process are warm. */
    private void warmUp(BenchQueues queues, EnvelopeWriter envelopes, AnswerPoller poller, String url) {
        SubjectSetup setup =
                new SubjectSetup(queues, options.maxInFlight, LoadPattern.STEADY, Map.of("node.warm-up", "0s"));
        try (RunningSubject earlier = environment.start(Subject.NODE, setup, options)) {
            WarmUp warmUp = new WarmUp(earlier, poller);
            warmUp.run(queues, envelopes, url, environment.target().url("/ok"), options.warmup());
            warmUp.runAtRate(envelopes, number -> url, options.rate(), options.warmupSeconds);
        }
    }

    private static void awaitReady(RunningSubject running, NodeAdminClient admin) {
        long giveUp = System.nanoTime() + READY_TIMEOUT.toNanos();
        while (!admin.isReady()) {
            running.requireAlive();
            if (System.nanoTime() - giveUp > 0) {
                throw running.failure("was not ready within " + READY_TIMEOUT.toSeconds() + " s");
            }
            LockSupport.parkNanos(READY_POLL_NANOS);
        }
    }

    private StartLatencies makeCalls(
            RunningSubject running, EnvelopeWriter envelopes, AnswerPoller poller, String url) {
        int expected = options.rate() * options.startWindows().steadyTo();
        Schedule schedule = Schedule.constant(options.rate(), expected);
        StartLatencies latencies = new StartLatencies(options.startWindows(), options.rate());
        long start = System.nanoTime();
        Pacer pacer = Pacer.of(start, schedule, (number, due) -> envelopes.send(url, due));
        pacer.start();
        long giveUp = start
                + Duration.ofSeconds(options.startWindows().steadyTo())
                        .plus(LAST_ANSWER_TIMEOUT)
                        .toNanos();
        while (latencies.answered() < expected && System.nanoTime() - giveUp < 0) {
            for (PolledAnswer answer : poller.poll(Duration.ofMillis(50))) {
                latencies.add(
                        schedule.callAt(answer.dueNanos() - start), answer, System.nanoTime() - answer.dueNanos());
            }
            running.requireAlive();
        }
        pacer.awaitSent();
        envelopes.flush();
        if (latencies.answered() < expected || latencies.failures() > 0) {
            throw running.failure("answered " + latencies.answered() + " of " + expected + ", " + latencies.failures()
                    + " not with 200");
        }
        return latencies;
    }

    private Measurement measurement(
            RunningSubject running,
            int round,
            double cpuPerCall,
            StartLatencies latencies,
            Map<String, Double> extras) {
        LatencyHistogram first = latencies.first();
        LatencyHistogram steady = latencies.steady();
        extras.put("first p50 ms", first.millisAt(50));
        extras.put("first p99 ms", first.millisAt(99));
        extras.put("steady p50 ms", steady.millisAt(50));
        extras.put("steady p99 ms", steady.millisAt(99));
        Map<String, LatencyHistogram> named = new LinkedHashMap<>();
        named.put("first " + options.startWindows().first() + " s", first);
        named.put("steady", steady);
        return new Measurement(
                        Subject.NODE,
                        round,
                        latencies.answered(),
                        options.rate(),
                        cpuPerCall,
                        running.meter().peakResidentBytes(),
                        running.peakHeapBytes(),
                        extras)
                .withLatencies(named);
    }
}
