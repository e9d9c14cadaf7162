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
                    AnswerPoller seen = queues.answers()) {
                Span span = watch(environment, running, seen, total);
                long memory = running.meter().peakResidentBytes();
                long heap = running.peakHeapBytes();
                long duplicates = seen.count() - total;
                requireSuccess(running, queues, seen, total);
                return new Measurement(
                        subject,
                        round,
                        span.calls(),
                        span.calls() * 1e9 / span.nanos(),
                        (double) span.cpu().subject() / span.calls(),
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
    public static void requireSuccess(RunningSubject running, BenchQueues queues, AnswerPoller seen, long total) {
        AnswerSample sample = AnswerSample.collect(seen, SAMPLE);
        long lost = queues.deadLetters();
        if (lost > 0 || sample.successful() < sample.read() || sample.read() < Math.min(SAMPLE, total)) {
            throw running.failure("left " + lost + " dead letters, " + sample);
        }
    }

    private Span watch(BenchEnvironment environment, RunningSubject running, AnswerPoller seen, long total) {
        AnswerCounter answers = new AnswerCounter(running, seen);
        long startCount = answers.await(Math.max(1, jvmWarmUpCalls + warmUpCalls));
        long startNanos = System.nanoTime();
        Cpu startCpu = Cpu.now(environment, running);
        if (startCount >= total) {
            throw running.failure("finished during the warm-up; increase the number of measured calls");
        }
        long count = answers.await(total);
        return new Span(
                count - startCount,
                System.nanoTime() - startNanos,
                Cpu.now(environment, running).since(startCpu));
    }

    private static Map<String, Double> extras(Span span, long duplicates) {
        Map<String, Double> extras = new LinkedHashMap<>();
        extras.put("target µs", (double) span.cpu().target() / span.calls());
        extras.put("broker µs", (double) span.cpu().broker() / span.calls());
        extras.put("duplicates", (double) duplicates);
        return extras;
    }

    private record Span(long calls, long nanos, Cpu cpu) {}

    /** CPU time of each process so far, in microseconds. */
    private record Cpu(long subject, long target, long broker) {

        static Cpu now(BenchEnvironment environment, RunningSubject running) {
            return new Cpu(running.meter().cpuMicros(), environment.targetCpuMicros(), environment.brokerCpuMicros());
        }

        Cpu since(Cpu start) {
            return new Cpu(subject - start.subject, target - start.target, broker - start.broker);
        }
    }
}
