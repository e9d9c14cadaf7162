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
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Calls by the Java client, at a steady rate in an open loop, against a target that takes 100 ms: what do the queues add, and does
 * every call end? First with a node that lives, then with one that is killed in the middle, after which another is started.
 */
public final class ClientScenario implements Scenario {

    private static final int TARGET_MILLIS = 100;
    private static final Duration DEADLINE = Duration.ofSeconds(5);

    /** So much may the 99th percentile be over what the target takes. */
    private static final double MOST_ADDED_MILLIS = 12;

    /** So long after its deadline may a call end: what a busy machine takes to run a timer. */
    private static final double MOST_LATE_MILLIS = 250;

    @Override
    public String name() {
        return "client";
    }

    /** The naive loop cannot be told where to answer. */
    @Override
    public boolean measures(Subject subject) {
        return subject == Subject.NODE;
    }

    @Override
    public Measurement measure(BenchEnvironment lab, Subject subject, int round, BenchOptions options) {
        try (BenchQueues queues = lab.newQueues();
                IoClusterClient cluster = IoClusterClient.connect(ClientConfig.forTransport(queues.client())
                        .withName("bench")
                        .timeout(DEADLINE)
                        .withMaxOutstanding(options.clientCalls(), ClientFullPolicy.FAIL)
                        .withExecutor(Runnable::run))) {
            SubjectSetup setup = new SubjectSetup(queues, options.maxInFlight(), LoadPattern.STEADY);
            try (RunningSubject first = lab.start(subject, setup, options)) {
                warmUp(lab, queues, first, options);
                ClientRun run =
                        new ClientRun(cluster, lab.target().url("/delay?ms=" + TARGET_MILLIS), options.clientRate());
                run.run(options.warmupSeconds() * options.clientRate(), () -> {});
                long cpuFrom = first.meter().cpuMicros();
                ClientRunResult alive = run.run(options.clientCalls(), () -> {});
                long cpu = first.meter().cpuMicros() - cpuFrom;
                if (alive.answered() < options.clientCalls()) {
                    throw first.failure("answered " + alive.answered() + " of " + options.clientCalls());
                }
                long resident = first.meter().peakResidentBytes();
                long heap = first.peakHeapBytes();
                ClientRunResult killed = withAKilledNode(lab, subject, setup, options, first, run);
                return new Measurement(
                        subject,
                        round,
                        options.clientCalls(),
                        options.clientRate(),
                        (double) cpu / options.clientCalls(),
                        resident,
                        heap,
                        extras(alive, killed));
            }
        } catch (IOException away) {
            throw new UncheckedIOException(away);
        }
    }

    private static void warmUp(BenchEnvironment lab, BenchQueues queues, RunningSubject node, BenchOptions options) {
        try (EnvelopeWriter envelopes = queues.envelopes(LoadPattern.STEADY);
                AnswerPoller seen = queues.answers()) {
            String quick = lab.target().url("/ok");
            new WarmUp(node, seen).run(queues, envelopes, quick, quick, options.warmup());
        }
    }

    private static ClientRunResult withAKilledNode(
            BenchEnvironment lab,
            Subject subject,
            SubjectSetup setup,
            BenchOptions options,
            RunningSubject first,
            ClientRun run) {
        RunningSubject[] second = new RunningSubject[1];
        try {
            return run.run(options.clientCalls(), () -> {
                first.kill();
                second[0] = lab.start(subject, setup, options);
            });
        } finally {
            if (second[0] != null) {
                second[0].close();
            }
        }
    }

    private static Map<String, Double> extras(ClientRunResult alive, ClientRunResult killed) {
        Map<String, Double> extras = new LinkedHashMap<>();
        extras.put("p50 ms", alive.percentileMillis(50));
        extras.put("p99 ms", alive.percentileMillis(99));
        extras.put("added p99 ms", alive.percentileMillis(99) - TARGET_MILLIS);
        extras.put("killed: answered", (double) killed.answered());
        extras.put("killed: expired", (double) killed.expired());
        extras.put("killed: at deadline", (double) killed.timedOut());
        extras.put("killed: late ms", Math.max(0, killed.percentileMillis(100) - DEADLINE.toMillis()));
        return extras;
    }

    @Override
    public boolean checkTargets(List<Measurement> all, PrintWriter out) {
        boolean kept = true;
        for (Measurement one : all) {
            double added = one.extras().get("added p99 ms");
            double late = one.extras().get("killed: late ms");
            double ended = one.extras().get("killed: answered")
                    + one.extras().get("killed: expired")
                    + one.extras().get("killed: at deadline");
            boolean good = added <= MOST_ADDED_MILLIS && late <= MOST_LATE_MILLIS && ended == one.calls();
            out.printf(
                    Locale.ROOT,
                    "round %d: the queues add %.1f ms (p99; at most %.0f); with the node killed %.0f of %d calls ended, %.0f ms"
                            + " after their deadline at most (%.0f): %s%n",
                    one.round(),
                    added,
                    MOST_ADDED_MILLIS,
                    ended,
                    one.calls(),
                    late,
                    MOST_LATE_MILLIS,
                    good ? "kept" : "NOT KEPT");
            kept &= good;
        }
        return kept;
    }
}
