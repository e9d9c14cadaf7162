package io.iocluster.bench;

import io.iocluster.bench.queue.Answers;
import io.iocluster.bench.queue.BenchQueues;
import io.iocluster.bench.queue.Envelopes;
import io.iocluster.bench.queue.Load;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * Enqueues a backlog, starts the subject on it, and measures from the end of the warm-up to the last answer, by the length of
 * the queue of answers, which costs the machine next to nothing.
 *
 * @param compiling calls that the target answers at once and that are not counted: what the JVM compiles itself by
 * @param warmup calls like the measured ones that are not counted either
 * @param measured calls that are
 */
record Backlog(String path, int compiling, int warmup, int measured, int maxInFlight) {

    private static final Duration STALL = Duration.ofSeconds(60);
    private static final long COUNT_NANOS = Duration.ofMillis(20).toNanos();

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
                check(running, queues, Sample.of(seen, SAMPLE), Math.min(SAMPLE, total));
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

    /** Fails unless calls were made and went well. */
    private static void check(RunningSubject running, BenchQueues queues, Sample sample, long least) {
        long lost = queues.deadLetters();
        if (lost > 0 || sample.good() < sample.read() || sample.read() < least) {
            throw running.failure("left " + lost + " dead letters, " + sample);
        }
    }

    private Span watch(Lab lab, RunningSubject running, Answers seen, long total) {
        long startCount = -1;
        long startNanos = 0;
        Cpu startCpu = null;
        long lastCount = 0;
        long lastProgress = System.nanoTime();
        while (true) {
            long count = seen.count();
            long now = System.nanoTime();
            if (startCount < 0 && count >= compiling + warmup && count > 0) {
                startCount = count;
                startNanos = now;
                startCpu = Cpu.now(lab, running);
            }
            if (count >= total) {
                if (startCount >= total) {
                    throw running.failure("was done within the warm-up; measure more calls");
                }
                return new Span(
                        count - startCount,
                        now - startNanos,
                        Cpu.now(lab, running).since(startCpu));
            }
            if (count > lastCount) {
                lastCount = count;
                lastProgress = now;
            } else if (now - lastProgress > STALL.toNanos()) {
                throw running.failure("stands still at " + count + " of " + total);
            }
            running.check();
            LockSupport.parkNanos(COUNT_NANOS);
        }
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
