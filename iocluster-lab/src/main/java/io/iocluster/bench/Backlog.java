package io.iocluster.bench;

import io.iocluster.bench.queue.Answers;
import io.iocluster.bench.queue.BenchQueues;
import io.iocluster.bench.queue.Envelopes;
import io.iocluster.bench.queue.Load;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Enqueues a backlog, starts the subject on it, and measures from the end of the warm-up to the last answer.
 *
 * @param compiling calls that the target answers at once and that are not counted: what the JVM compiles itself by
 * @param warmup calls like the measured ones that are not counted either
 * @param measured calls that are
 */
record Backlog(String path, int compiling, int warmup, int measured, int maxInFlight) {

    /** So many answers are looked at. */
    private static final int SAMPLE = 1_000;

    Measurement measure(Lab lab, Subject subject, int round, BenchOptions options) {
        long total = (long) compiling + warmup + measured;
        lab.target().reset();
        try (BenchQueues queues = lab.newQueues()) {
            enqueue(queues, lab.target().url("/ok"), compiling);
            enqueue(queues, lab.target().url(path), warmup + measured);
            try (RunningSubject running =
                            lab.start(subject, new SubjectSetup(queues, maxInFlight, Load.BACKLOG), options);
                    Answers seen = queues.answers()) {
                Span span = watch(lab, running, seen, total);
                long memory = running.meter().peakResidentBytes();
                long heap = running.peakHeapBytes();
                long repeats = seen.count() - total;
                check(running, queues, seen, total);
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

    static void enqueue(BenchQueues queues, String url, int count) {
        try (Envelopes envelopes = queues.envelopes(Load.BACKLOG)) {
            for (int i = 0; i < count; i++) {
                envelopes.send(url, System.nanoTime());
            }
            envelopes.flush();
        }
    }

    /** Fails unless so many calls were made and went well, as far as a sample tells. */
    static void check(RunningSubject running, BenchQueues queues, Answers seen, long total) {
        Sample sample = Sample.of(seen, SAMPLE);
        long lost = queues.deadLetters();
        if (lost > 0 || sample.good() < sample.read() || sample.read() < Math.min(SAMPLE, total)) {
            throw running.failure("left " + lost + " dead letters, " + sample);
        }
    }

    private Span watch(Lab lab, RunningSubject running, Answers seen, long total) {
        AnswerCount answers = new AnswerCount(running, seen);
        long startCount = answers.await(Math.max(1, compiling + warmup));
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

        static Cpu now(Lab lab, RunningSubject running) {
            return new Cpu(running.meter().cpuMicros(), lab.targetCpuMicros(), lab.brokerCpuMicros());
        }

        Cpu since(Cpu start) {
            return new Cpu(subject - start.subject, target - start.target, broker - start.broker);
        }
    }
}
