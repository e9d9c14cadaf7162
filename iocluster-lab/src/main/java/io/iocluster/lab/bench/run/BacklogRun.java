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
 * @param compiling calls that the target answers at once and that are not counted: what the JVM compiles itself by
 * @param warmup calls like the measured ones that are not counted either
 * @param measured calls that are
 */
public record BacklogRun(String path, int jvmWarmUpCalls, int warmUpCalls, int measuredCalls, int maxInFlight) {

    /** So many answers are looked at. */
    private static final int SAMPLE = 1_000;

    public Measurement measure(BenchEnvironment lab, Subject subject, int round, BenchOptions options) {
        long total = (long) jvmWarmUpCalls + warmUpCalls + measuredCalls;
        lab.target().resetRequestLog();
        try (BenchQueues queues = lab.newQueues()) {
            enqueue(queues, lab.target().url("/ok"), jvmWarmUpCalls);
            enqueue(queues, lab.target().url(path), warmUpCalls + measuredCalls);
            try (RunningSubject running =
                            lab.start(subject, new SubjectSetup(queues, maxInFlight, LoadPattern.BACKLOG), options);
                    AnswerPoller seen = queues.answers()) {
                Span span = watch(lab, running, seen, total);
                long memory = running.meter().peakResidentBytes();
                long heap = running.peakHeapBytes();
                long repeats = seen.count() - total;
                requireSuccess(running, queues, seen, total);
                return new Measurement(
                        subject,
                        round,
                        span.calls(),
                        span.calls() * 1e9 / span.nanos(),
                        (double) span.cpu().subject() / span.calls(),
                        memory,
                        heap,
                        extras(span, repeats));
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

    /** Fails unless so many calls were made and went well, as far as a sample tells. */
    public static void requireSuccess(RunningSubject running, BenchQueues queues, AnswerPoller seen, long total) {
        AnswerSample sample = AnswerSample.collect(seen, SAMPLE);
        long lost = queues.deadLetters();
        if (lost > 0 || sample.successful() < sample.read() || sample.read() < Math.min(SAMPLE, total)) {
            throw running.failure("left " + lost + " dead letters, " + sample);
        }
    }

    private Span watch(BenchEnvironment lab, RunningSubject running, AnswerPoller seen, long total) {
        AnswerCounter answers = new AnswerCounter(running, seen);
        long startCount = answers.await(Math.max(1, jvmWarmUpCalls + warmUpCalls));
        long startNanos = System.nanoTime();
        Cpu startCpu = Cpu.now(lab, running);
        if (startCount >= total) {
            throw running.failure("was done within the warm-up; measure more calls");
        }
        long count = answers.await(total);
        return new Span(
                count - startCount,
                System.nanoTime() - startNanos,
                Cpu.now(lab, running).since(startCpu));
    }

    private static Map<String, Double> extras(Span span, long repeats) {
        Map<String, Double> extras = new LinkedHashMap<>();
        extras.put("target µs", (double) span.cpu().target() / span.calls());
        extras.put("broker µs", (double) span.cpu().broker() / span.calls());
        extras.put("repeats", (double) repeats);
        return extras;
    }

    private record Span(long calls, long nanos, Cpu cpu) {}

    /** What each process took so far, in microseconds. */
    private record Cpu(long subject, long target, long broker) {

        static Cpu now(BenchEnvironment lab, RunningSubject running) {
            return new Cpu(running.meter().cpuMicros(), lab.targetCpuMicros(), lab.brokerCpuMicros());
        }

        Cpu since(Cpu start) {
            return new Cpu(subject - start.subject, target - start.target, broker - start.broker);
        }
    }
}
