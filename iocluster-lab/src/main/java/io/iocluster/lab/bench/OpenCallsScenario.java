package io.iocluster.lab.bench;

import io.iocluster.lab.bench.broker.AnswerPoller;
import io.iocluster.lab.bench.broker.BenchQueues;
import io.iocluster.lab.bench.broker.EnvelopeWriter;
import io.iocluster.lab.bench.broker.LoadPattern;
import io.iocluster.lab.bench.broker.PolledAnswer;
import io.iocluster.lab.load.result.LatencyHistogram;
import io.iocluster.lab.load.result.LatencyRecorder;
import io.iocluster.lab.load.schedule.Pacer;
import io.iocluster.lab.load.schedule.Schedule;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures what open calls cost. Many calls wait for a host that does not answer them during the measurement. Meanwhile, calls to the same
 * host, which it answers after 100 ms, are due at a steady rate. So the shares of destinations do not apply.
 */
final class OpenCallsScenario implements Scenario {

    /** Longer than the measurement. The node is killed before. */
    private static final Duration OPEN = Duration.ofMinutes(5);

    private static final Duration OPENED_WITHIN = Duration.ofMinutes(2);

    private static final long LAST_ANSWER_SECONDS = 30;

    /** Slots for the other calls: those of a second at a rate of 1,700. */
    private static final int OTHER_SLOTS = 1_700;

    private static final double MAX_KB_PER_CALL = 20;
    private static final double MAX_P99_MILLIS = 130;

    private static final String KB_PER_CALL = "heap KB a call";
    private static final String P99 = "p99 ms";

    @Override
    public String name() {
        return "open";
    }

    /** The naive loop ends a call earlier. */
    @Override
    public boolean measures(Subject subject) {
        return subject == Subject.NODE;
    }

    @Override
    public Measurement measure(BenchEnvironment environment, Subject subject, int round, BenchOptions options) {
        String patience = OPEN.toSeconds() + "s";
        Map<String, String> settings =
                Map.of("http.timeout", patience, "http.max-timeout", patience, "http.deadline", patience);
        try (BenchQueues queues = environment.newQueues();
                RunningSubject running = environment.start(
                        subject,
                        new SubjectSetup(queues, options.openCalls + OTHER_SLOTS, LoadPattern.STEADY, settings),
                        options);
                EnvelopeWriter envelopes = queues.envelopes(LoadPattern.STEADY);
                AnswerPoller poller = queues.answers()) {
            String other = environment.target().url("/delay?ms=100");
            WarmUp warmUp = new WarmUp(running, poller);
            warmUp.run(queues, envelopes, other, environment.target().url("/ok"), options.warmup());
            warmUp.runAtRate(envelopes, number -> other, options.rate(), options.warmupSeconds);
            long heapBefore = running.heapAfterCollection();
            open(environment, running, envelopes, options.openCalls);
            long heapOfOpen = running.heapAfterCollection() - heapBefore;
            // Opening the connections and the full collection delay calls for some seconds.
            warmUp.runAtRate(envelopes, number -> other, options.rate(), options.warmupSeconds);
            long cpuBefore = running.meter().cpuMicros();
            LatencyHistogram latency = callOthers(running, envelopes, other, poller, options);
            long cpu = running.meter().cpuMicros() - cpuBefore;
            Map<String, Double> extras = new LinkedHashMap<>();
            extras.put("open", (double) options.openCalls);
            extras.put(KB_PER_CALL, heapOfOpen / 1e3 / options.openCalls);
            extras.put("p50 ms", latency.millisAt(50));
            extras.put(P99, latency.millisAt(99));
            extras.put("max ms", latency.maxMillis());
            Measurement measured = new Measurement(
                            subject,
                            round,
                            latency.count(),
                            options.rate(),
                            (double) cpu / latency.count(),
                            running.meter().peakResidentBytes(),
                            running.peakHeapBytes(),
                            extras)
                    .withLatencies(Map.of("calls", latency));
            requireOpen(environment, running, options.openCalls);
            // A drain of the node would wait for the open calls.
            running.kill();
            return measured;
        }
    }

    /** Makes the calls that stay open, and waits until the target has all of them. */
    private static void open(
            BenchEnvironment environment, RunningSubject running, EnvelopeWriter envelopes, int calls) {
        String url = environment.target().url("/delay?ms=" + OPEN.toMillis());
        for (int i = 0; i < calls; i++) {
            envelopes.send(url, System.nanoTime());
        }
        envelopes.flush();
        long giveUp = System.nanoTime() + OPENED_WITHIN.toNanos();
        while (environment.openRequests() < calls) {
            running.requireAlive();
            if (System.nanoTime() - giveUp > 0) {
                throw running.failure("opened only " + environment.openRequests() + " of " + calls + " calls");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
        }
    }

    /** Throws if some of the calls have ended, because their results then count as those of the others. */
    private static void requireOpen(BenchEnvironment environment, RunningSubject running, int calls) {
        if (environment.openRequests() < calls) {
            throw running.failure("ended some of the calls that should stay open; measure for a shorter time");
        }
    }

    private static LatencyHistogram callOthers(
            RunningSubject running, EnvelopeWriter envelopes, String url, AnswerPoller poller, BenchOptions options) {
        long expected = (long) options.seconds * options.rate();
        Pacer pacer = Pacer.of(
                System.nanoTime(),
                Schedule.constant(options.rate(), expected),
                (number, due) -> envelopes.send(url, due));
        pacer.start();
        LatencyRecorder latencies = new LatencyRecorder();
        long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(options.seconds + LAST_ANSWER_SECONDS);
        long failures = 0;
        while (latencies.count() < expected && System.nanoTime() - giveUp < 0) {
            for (PolledAnswer answer : poller.poll(Duration.ofMillis(50))) {
                latencies.record(System.nanoTime() - answer.dueNanos());
                failures += answer.isOk() ? 0 : 1;
            }
            running.requireAlive();
        }
        pacer.awaitSent();
        envelopes.flush();
        if (latencies.count() < expected || failures > 0) {
            throw running.failure(
                    "answered " + latencies.count() + " of " + expected + ", " + failures + " not with 200");
        }
        return latencies.histogram();
    }

    @Override
    public boolean checkTargets(List<Measurement> all, PrintWriter out) {
        if (all.isEmpty()) {
            return true;
        }
        return isAtMost(all, KB_PER_CALL, MAX_KB_PER_CALL, out) & isAtMost(all, P99, MAX_P99_MILLIS, out);
    }

    private static boolean isAtMost(List<Measurement> all, String name, double max, PrintWriter out) {
        double median = BenchReport.median(
                all.stream().map(one -> one.extras().get(name)).toList());
        boolean met = median <= max;
        out.printf(Locale.ROOT, "  %s: %.1f; at most %.0f: %s%n", name, median, max, met ? "met" : "missed");
        return met;
    }
}
