package io.iocluster.bench;

import io.iocluster.bench.queue.Answers;
import io.iocluster.bench.queue.BenchQueues;
import io.iocluster.bench.queue.Envelopes;
import io.iocluster.bench.queue.Load;
import io.iocluster.bench.queue.SeenAnswer;
import java.time.Duration;
import java.util.Set;
import java.util.stream.LongStream;

/**
 * One run of a fresh node on the fairness scenario's schedule.
 *
 * @param called whose calls are made; the others' turns pass
 */
record FairRun(Lab lab, Callees callees, Set<Callee> called, BenchOptions options) {

    /** Longer than a node lets a call take. */
    private static final Duration TAIL = Duration.ofSeconds(60);

    /**
     * What was measured from the first call to the last answer.
     *
     * @param cpuMicros what the node took
     */
    record Served(Tally tally, long cpuMicros, long peakResidentBytes, long peakHeapBytes) {}

    Served measure() {
        try (BenchQueues queues = lab.newQueues();
                RunningSubject running =
                        lab.start(Subject.NODE, new SubjectSetup(queues, options.maxInFlight(), Load.STEADY), options);
                Envelopes envelopes = queues.envelopes(Load.STEADY);
                Answers seen = queues.answers()) {
            WarmUp warmUp = new WarmUp(running, seen);
            String good = callees.url(Callee.GOOD);
            warmUp.run(queues, envelopes, good, lab.target().url("/ok"), options.warmup());
            rehearse(warmUp, envelopes);
            warmUp.steadily(envelopes, number -> good, options.fairRate(), options.warmupSeconds() / 2);
            long cpu = running.meter().cpuMicros();
            Tally tally = serve(running, envelopes, seen);
            return new Served(
                    tally,
                    running.meter().cpuMicros() - cpu,
                    running.meter().peakResidentBytes(),
                    running.peakHeapBytes());
        }
    }

    /** Calls to bad hosts are made alike before what is measured, else the JVM would compile for them while the others are. */
    private void rehearse(WarmUp warmUp, Envelopes envelopes) {
        try (Callees others = Callees.forRehearsal(lab.target())) {
            warmUp.steadily(
                    envelopes,
                    number -> others.url(Callee.of(number)),
                    options.fairRate(),
                    options.warmupSeconds() / 2);
        }
    }

    private Tally serve(RunningSubject running, Envelopes envelopes, Answers seen) {
        Pacer pacer = new Pacer(System.nanoTime(), options.fairRate(), options.fairCalls(), (number, due) -> {
            Callee callee = Callee.of(number);
            if (called.contains(callee)) {
                envelopes.send(callees.url(callee), due);
            }
        });
        pacer.start();
        int expected = expected();
        Tally tally = collect(running, seen, pacer, expected);
        pacer.join();
        envelopes.flush();
        if (tally.answered() < expected || !tally.isGoodServed()) {
            throw running.failure(
                    "answered " + tally.answered() + " of " + expected + ", which ended so: " + tally.endings());
        }
        return tally;
    }

    private Tally collect(RunningSubject running, Answers seen, Pacer pacer, int expected) {
        Tally tally = new Tally();
        long giveUp = System.nanoTime()
                + Duration.ofSeconds(options.fairCalls() / options.fairRate())
                        .plus(TAIL)
                        .toNanos();
        while (tally.answered() < expected && System.nanoTime() - giveUp < 0) {
            for (SeenAnswer answer : seen.poll(Duration.ofMillis(50))) {
                tally.add(pacer.number(answer.dueNanos()), answer, System.nanoTime() - answer.dueNanos());
            }
            running.check();
        }
        return tally;
    }

    private int expected() {
        return Math.toIntExact(LongStream.range(0, options.fairCalls())
                .filter(number -> called.contains(Callee.of(number)))
                .count());
    }
}
