package io.iocluster.lab.bench;

import io.iocluster.lab.bench.broker.AnswerPoller;
import io.iocluster.lab.bench.broker.BenchQueues;
import io.iocluster.lab.bench.broker.EnvelopeWriter;
import io.iocluster.lab.bench.broker.LoadPattern;
import io.iocluster.lab.load.result.LatencyHistogram;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
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
            OpenLoop loop = new OpenLoop(running, envelopes, poller);
            String other = environment.target().url("/delay?ms=100");
            loop.warmUp(queues, other, environment.target().url("/ok"), options.warmup());
            loop.warmUpAtRate(number -> other, options.rate(), options.warmupSeconds);
            long heapBefore = running.heapAfterCollection();
            open(environment, running, envelopes, options.openCalls);
            long heapOfOpen = running.heapAfterCollection() - heapBefore;
            // Opening the connections and the full collection delay calls for some seconds.
            loop.warmUpAtRate(number -> other, options.rate(), options.warmupSeconds);
            long cpuFrom = running.meter().cpuMicros();
            LatencyHistogram latency = loop.measure(other, options.rate(), options.seconds);
            double cpu = running.meter().cpuMicros() - cpuFrom;
            Measurement measured =
                    new Measurement(running, round, latency.count(), options.rate(), cpu / latency.count());
            measured.extras().put("open", (double) options.openCalls);
            measured.extras().put(KB_PER_CALL, heapOfOpen / 1e3 / options.openCalls);
            measured.extras().put("p50 ms", latency.millisAt(50));
            measured.extras().put(P99, latency.millisAt(99));
            measured.extras().put("max ms", latency.maxMillis());
            measured.latencies().put("calls", latency);
            // Their results would count as those of the others.
            if (environment.openRequests() < options.openCalls) {
                throw running.failure("ended some of the calls that should stay open; measure for a shorter time");
            }
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

    @Override
    public boolean checkTargets(List<Measurement> all, PrintWriter out) {
        return all.isEmpty()
                || isAtMost(all, KB_PER_CALL, MAX_KB_PER_CALL, out) & isAtMost(all, P99, MAX_P99_MILLIS, out);
    }

    private static boolean isAtMost(List<Measurement> all, String name, double max, PrintWriter out) {
        double median = BenchReport.median(all, one -> one.extra(name));
        return BenchReport.target(out, median <= max, "%s: %.1f; at most %.0f", name, median, max);
    }
}
