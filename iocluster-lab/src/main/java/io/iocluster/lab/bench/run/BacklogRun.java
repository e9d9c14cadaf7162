package io.iocluster.lab.bench.run;

import io.iocluster.lab.bench.queue.AnswerPoller;
import io.iocluster.lab.bench.queue.BenchQueues;
import io.iocluster.lab.bench.queue.EnvelopeWriter;
import io.iocluster.lab.bench.queue.LoadPattern;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Enqueues a backlog, starts the subject on it, and measures from the end of the warm-up to the last answer.
 *
 * @param jvmWarmUpCalls unmeasured calls that the target answers at once, for JIT compilation
 * @param warmUpCalls unmeasured calls that are like the measured ones
 * @param measuredCalls measured calls
 */
public record BacklogRun(String path, int jvmWarmUpCalls, int warmUpCalls, int measuredCalls, int maxInFlight) {

    /** Number of answers to check. */
    private static final int SAMPLE = 1_000;

    public Measurement measure(BenchEnvironment environment, Subject subject, int round, BenchOptions options) {
        long total = (long) jvmWarmUpCalls + warmUpCalls + measuredCalls;
        environment.target().resetRequestLog();
        try (BenchQueues queues = environment.newQueues()) {
            enqueue(queues, environment.target().url("/ok"), jvmWarmUpCalls);
            enqueue(queues, environment.target().url(path), warmUpCalls + measuredCalls);
            try (RunningSubject running = environment.start(
                            subject, new SubjectSetup(queues, maxInFlight, LoadPattern.BACKLOG), options);
                    AnswerPoller poller = queues.answers()) {
                Moment.Span span = watch(environment, running, poller, total);
                long memory = running.meter().peakResidentBytes();
                long heap = running.peakHeapBytes();
                long duplicates = poller.count() - total;
                requireSuccess(running, queues, poller, total);
                return new Measurement(
                        subject,
                        round,
                        span.calls(),
                        span.callsPerSecond(),
                        span.cpuMicrosPerCall(),
                        memory,
                        heap,
                        extras(span, duplicates));
            }
        }
    }

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

    private Moment.Span watch(BenchEnvironment environment, RunningSubject running, AnswerPoller poller, long total) {
        AnswerCounter answers = new AnswerCounter(running, poller);
        Moment start = Moment.await(Math.max(1, jvmWarmUpCalls + warmUpCalls), environment, running, answers);
        if (start.answers() >= total) {
            throw running.failure("finished during the warm-up; increase the number of measured calls");
        }
        return Moment.await(total, environment, running, answers).since(start);
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
