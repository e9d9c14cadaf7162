package io.iocluster.bench;

import io.iocluster.bench.ClientRun.Ended;
import io.iocluster.bench.queue.Answers;
import io.iocluster.bench.queue.BenchQueues;
import io.iocluster.bench.queue.Envelopes;
import io.iocluster.bench.queue.Load;
import io.iocluster.client.ClientConfig;
import io.iocluster.client.IoCluster;
import io.iocluster.client.WhenFull;
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
final class ClientCalls implements Scenario {

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
    public Measurement measure(Lab lab, Subject subject, int round, BenchOptions options) {
        try (BenchQueues queues = lab.newQueues();
                IoCluster cluster = IoCluster.connect(ClientConfig.over(queues.client())
                        .named("bench")
                        .timeout(DEADLINE)
                        .outstanding(options.clientCalls(), WhenFull.FAIL)
                        .on(Runnable::run))) {
            SubjectSetup setup = new SubjectSetup(queues, options.maxInFlight(), Load.STEADY);
            try (RunningSubject first = lab.start(subject, setup, options)) {
                warmUp(lab, queues, first, options);
                ClientRun run =
                        new ClientRun(cluster, lab.target().url("/delay?ms=" + TARGET_MILLIS), options.clientRate());
                run.make(options.warmupSeconds() * options.clientRate(), () -> {});
                long cpuFrom = first.meter().cpuMicros();
                Ended alive = run.make(options.clientCalls(), () -> {});
                long cpu = first.meter().cpuMicros() - cpuFrom;
                if (alive.answered() < options.clientCalls()) {
                    throw first.failure("answered " + alive.answered() + " of " + options.clientCalls());
                }
                long resident = first.meter().peakResidentBytes();
                long heap = first.peakHeapBytes();
                Ended killed = withAKilledNode(lab, subject, setup, options, first, run);
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

    private static void warmUp(Lab lab, BenchQueues queues, RunningSubject node, BenchOptions options) {
        try (Envelopes envelopes = queues.envelopes(Load.STEADY);
                Answers seen = queues.answers()) {
            String quick = lab.target().url("/ok");
            new WarmUp(node, seen).run(queues, envelopes, quick, quick, options.warmup());
        }
    }

    private static Ended withAKilledNode(
            Lab lab, Subject subject, SubjectSetup setup, BenchOptions options, RunningSubject first, ClientRun run) {
        RunningSubject[] second = new RunningSubject[1];
        try {
            return run.make(options.clientCalls(), () -> {
                first.kill();
                second[0] = lab.start(subject, setup, options);
            });
        } finally {
            if (second[0] != null) {
                second[0].close();
            }
        }
    }

    private static Map<String, Double> extras(Ended alive, Ended killed) {
        Map<String, Double> extras = new LinkedHashMap<>();
        extras.put("p50 ms", alive.millis(50));
        extras.put("p99 ms", alive.millis(99));
        extras.put("added p99 ms", alive.millis(99) - TARGET_MILLIS);
        extras.put("killed: answered", (double) killed.answered());
        extras.put("killed: expired", (double) killed.expired());
        extras.put("killed: at deadline", (double) killed.timedOut());
        extras.put("killed: late ms", Math.max(0, killed.millis(100) - DEADLINE.toMillis()));
        return extras;
    }

    @Override
    public boolean judge(List<Measurement> all, PrintWriter out) {
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
