package io.iocluster.lab.bench;

import io.iocluster.lab.bench.broker.AnswerPoller;
import io.iocluster.lab.bench.broker.BenchQueues;
import io.iocluster.lab.bench.broker.EnvelopeWriter;
import io.iocluster.lab.bench.broker.LoadPattern;
import java.util.LinkedHashMap;
import java.util.Map;

/** Puts a backlog on queues, and checks the answers to it. */
final class Backlog {

    /** Number of answers to check. */
    private static final int SAMPLE = 1_000;

    private Backlog() {}

    public static void enqueue(BenchQueues queues, String url, int count) {
        try (EnvelopeWriter envelopes = queues.envelopes(LoadPattern.BACKLOG)) {
            for (int i = 0; i < count; i++) {
                envelopes.send(url, System.nanoTime());
            }
            envelopes.flush();
        }
    }

    /** Fails if there are dead letters, or if a sample of the answers contains a failure or is too small. */
    public static void requireSuccess(RunningSubject running, BenchQueues queues, AnswerPoller poller, long total) {
        AnswerSample sample = AnswerSample.collect(poller, SAMPLE);
        long lost = queues.deadLetters();
        if (lost > 0 || sample.successful() < sample.read() || sample.read() < Math.min(SAMPLE, total)) {
            throw running.failure("left " + lost + " dead letters, " + sample);
        }
    }

    /** Returns the CPU time of the target and of the broker for each call, and the number of duplicates. */
    static Map<String, Double> extras(Moment.Span span, long duplicates) {
        Map<String, Double> extras = new LinkedHashMap<>();
        extras.put("target µs", (double) span.cpu().target() / span.calls());
        extras.put("broker µs", (double) span.cpu().broker() / span.calls());
        extras.put("duplicates", (double) duplicates);
        return extras;
    }
}
