package io.iocluster.lab.bench.scenario;

import io.iocluster.client.ClientConfig;
import io.iocluster.client.ClientFullPolicy;
import io.iocluster.client.IoClusterClient;
import io.iocluster.lab.bench.queue.AnswerPoller;
import io.iocluster.lab.bench.queue.BenchQueues;
import io.iocluster.lab.bench.queue.EnvelopeWriter;
import io.iocluster.lab.bench.queue.LoadPattern;
import io.iocluster.lab.bench.run.BenchEnvironment;
import io.iocluster.lab.bench.run.BenchOptions;
import io.iocluster.lab.bench.run.Measurement;
import io.iocluster.lab.bench.run.RunningSubject;
import io.iocluster.lab.bench.run.Scenario;
import io.iocluster.lab.bench.run.Subject;
import io.iocluster.lab.bench.run.SubjectSetup;
import io.iocluster.lab.bench.run.WarmUp;
import io.iocluster.lab.bench.scenario.ClientRun.ClientRunResult;
import io.iocluster.lab.load.result.LatencyHistogram;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Makes calls with the Java client at a steady rate, in an open loop, to a target that takes 100 ms. Measures the
 * latency that the queues add, and whether every call ends: first with a running node, then with a node that is killed
 * halfway and replaced.
 */
public final class ClientScenario implements Scenario {

    private static final int TARGET_MILLIS = 100;
    private static final Duration DEADLINE = Duration.ofSeconds(5);

    /** Maximum 99th percentile of the latency, in excess of the target's. */
    private static final double MAX_ADDED_MILLIS = 12;

    /** Maximum time that a call may end after its deadline, because timers run late on a busy machine. */
    private static final double MAX_LATE_MILLIS = 250;

    @Override
    public String name() {
        return "client";
    }

    /** The naive loop does not support a reply destination. */
    @Override
    public boolean measures(Subject subject) {
        return subject == Subject.NODE;
    }

    @Override
    public Measurement measure(BenchEnvironment environment, Subject subject, int round, BenchOptions options) {
        try (BenchQueues queues = environment.newQueues();
                IoClusterClient cluster = IoClusterClient.connect(ClientConfig.forTransport(queues.client())
                        .withName("bench")
                        .timeout(DEADLINE)
                        .withMaxOutstanding(options.clientCalls(), ClientFullPolicy.FAIL)
                        .withExecutor(Runnable::run))) {
            SubjectSetup setup = new SubjectSetup(queues, options.maxInFlight(), LoadPattern.STEADY);
            try (RunningSubject first = environment.start(subject, setup, options)) {
                warmUp(environment, queues, first, options);
                ClientRun run = new ClientRun(
                        cluster, environment.target().url("/delay?ms=" + TARGET_MILLIS), options.clientRate());
                run.run(options.warmupSeconds() * options.clientRate(), () -> {});
                long cpuFrom = first.meter().cpuMicros();
                ClientRunResult running = run.run(options.clientCalls(), () -> {});
                long cpu = first.meter().cpuMicros() - cpuFrom;
                if (running.answered() < options.clientCalls()) {
                    throw first.failure("answered " + running.answered() + " of " + options.clientCalls());
                }
                long resident = first.meter().peakResidentBytes();
                long heap = first.peakHeapBytes();
                ClientRunResult killed = measureKilledNode(environment, subject, setup, options, first, run);
                return new Measurement(
                                subject,
                                round,
                                options.clientCalls(),
                                options.clientRate(),
                                (double) cpu / options.clientCalls(),
                                resident,
                                heap,
                                extras(running, killed))
                        .withLatencies(latencies(running, killed));
            }
        } catch (IOException unreachable) {
            throw new UncheckedIOException(unreachable);
        }
    }

    private static void warmUp(
            BenchEnvironment environment, BenchQueues queues, RunningSubject node, BenchOptions options) {
        try (EnvelopeWriter envelopes = queues.envelopes(LoadPattern.STEADY);
                AnswerPoller poller = queues.answers()) {
            String quick = environment.target().url("/ok");
            new WarmUp(node, poller).run(queues, envelopes, quick, quick, options.warmup());
        }
    }

    private static ClientRunResult measureKilledNode(
            BenchEnvironment environment,
            Subject subject,
            SubjectSetup setup,
            BenchOptions options,
            RunningSubject first,
            ClientRun run) {
        RunningSubject[] second = new RunningSubject[1];
        try {
            return run.run(options.clientCalls(), () -> {
                first.kill();
                second[0] = environment.start(subject, setup, options);
            });
        } finally {
            if (second[0] != null) {
                second[0].close();
            }
        }
    }

    private static Map<String, LatencyHistogram> latencies(ClientRunResult running, ClientRunResult killed) {
        Map<String, LatencyHistogram> latencies = new LinkedHashMap<>();
        latencies.put("calls", running.latency());
        latencies.put("calls with a killed node", killed.latency());
        return latencies;
    }

    private static Map<String, Double> extras(ClientRunResult running, ClientRunResult killed) {
        Map<String, Double> extras = new LinkedHashMap<>();
        extras.put("p50 ms", running.latency().millisAt(50));
        extras.put("p99 ms", running.latency().millisAt(99));
        extras.put("added p99 ms", running.latency().millisAt(99) - TARGET_MILLIS);
        extras.put("killed: answered", (double) killed.answered());
        extras.put("killed: expired", (double) killed.expired());
        extras.put("killed: at deadline", (double) killed.timedOut());
        extras.put("killed: late ms", Math.max(0, killed.latency().maxMillis() - DEADLINE.toMillis()));
        return extras;
    }

    @Override
    public boolean checkTargets(List<Measurement> all, PrintWriter out) {
        boolean met = true;
        for (Measurement one : all) {
            double added = one.extras().get("added p99 ms");
            double late = one.extras().get("killed: late ms");
            double ended = one.extras().get("killed: answered")
                    + one.extras().get("killed: expired")
                    + one.extras().get("killed: at deadline");
            boolean good = added <= MAX_ADDED_MILLIS && late <= MAX_LATE_MILLIS && ended == one.calls();
            out.printf(
                    Locale.ROOT,
                    "round %d: the queues add %.1f ms (p99; at most %.0f); with the node killed %.0f of %d calls"
                            + " ended, at most %.0f ms after their deadline (at most %.0f): %s%n",
                    one.round(),
                    added,
                    MAX_ADDED_MILLIS,
                    ended,
                    one.calls(),
                    late,
                    MAX_LATE_MILLIS,
                    good ? "met" : "missed");
            met &= good;
        }
        return met;
    }
}
