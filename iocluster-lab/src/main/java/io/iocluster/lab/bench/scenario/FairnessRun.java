package io.iocluster.lab.bench.scenario;

import io.iocluster.lab.bench.queue.AnswerPoller;
import io.iocluster.lab.bench.queue.BenchQueues;
import io.iocluster.lab.bench.queue.EnvelopeWriter;
import io.iocluster.lab.bench.queue.LoadPattern;
import io.iocluster.lab.bench.queue.PolledAnswer;
import io.iocluster.lab.bench.run.BenchEnvironment;
import io.iocluster.lab.bench.run.BenchOptions;
import io.iocluster.lab.bench.run.Pacer;
import io.iocluster.lab.bench.run.RunningSubject;
import io.iocluster.lab.bench.run.Subject;
import io.iocluster.lab.bench.run.SubjectSetup;
import io.iocluster.lab.bench.run.WarmUp;
import java.time.Duration;
import java.util.Set;
import java.util.stream.LongStream;

/**
 * One run of a fresh node on the fairness scenario's schedule.
 *
 * @param called whose calls are made; the others' turns pass
 */
record FairnessRun(
        BenchEnvironment lab, FairnessTargets callees, Set<FairnessTarget> calledTargets, BenchOptions options) {

    /** Longer than a node lets a call take. */
    private static final Duration TAIL = Duration.ofSeconds(60);

    /**
     * What was measured from the first call to the last answer.
     *
     * @param cpuMicros what the node took
     */
    record FairnessRunResult(FairnessTally tally, long cpuMicros, long peakResidentBytes, long peakHeapBytes) {}

    FairnessRunResult measure() {
        try (BenchQueues queues = lab.newQueues();
                RunningSubject running = lab.start(
                        Subject.NODE, new SubjectSetup(queues, options.maxInFlight(), LoadPattern.STEADY), options);
                EnvelopeWriter envelopes = queues.envelopes(LoadPattern.STEADY);
                AnswerPoller seen = queues.answers()) {
            WarmUp warmUp = new WarmUp(running, seen);
            String good = callees.url(FairnessTarget.GOOD);
            warmUp.run(queues, envelopes, good, lab.target().url("/ok"), options.warmup());
            rehearse(warmUp, envelopes);
            warmUp.runAtRate(envelopes, number -> good, options.fairnessRate(), options.warmupSeconds() / 2);
            long cpu = running.meter().cpuMicros();
            FairnessTally tally = serve(running, envelopes, seen);
            return new FairnessRunResult(
                    tally,
                    running.meter().cpuMicros() - cpu,
                    running.meter().peakResidentBytes(),
                    running.peakHeapBytes());
        }
    }

    /** Calls to bad hosts are made alike before what is measured, else the JVM would compile for them while the others are. */
    private void rehearse(WarmUp warmUp, EnvelopeWriter envelopes) {
        try (FairnessTargets others = FairnessTargets.startWarmUpTargets(lab.target())) {
            warmUp.runAtRate(
                    envelopes,
                    number -> others.url(FairnessTarget.forCall(number)),
                    options.fairnessRate(),
                    options.warmupSeconds() / 2);
        }
    }

    private FairnessTally serve(RunningSubject running, EnvelopeWriter envelopes, AnswerPoller seen) {
        Pacer pacer = new Pacer(System.nanoTime(), options.fairnessRate(), options.fairnessCalls(), (number, due) -> {
            FairnessTarget callee = FairnessTarget.forCall(number);
            if (calledTargets.contains(callee)) {
                envelopes.send(callees.url(callee), due);
            }
        });
        pacer.start();
        int expected = expected();
        FairnessTally tally = collect(running, seen, pacer, expected);
        pacer.awaitSent();
        envelopes.flush();
        if (tally.answered() < expected || !tally.allGoodCallsSucceeded()) {
            throw running.failure(
                    "answered " + tally.answered() + " of " + expected + ", which ended so: " + tally.outcomes());
        }
        return tally;
    }

    private FairnessTally collect(RunningSubject running, AnswerPoller seen, Pacer pacer, int expected) {
        FairnessTally tally = new FairnessTally();
        long giveUp = System.nanoTime()
                + Duration.ofSeconds(options.fairnessCalls() / options.fairnessRate())
                        .plus(TAIL)
                        .toNanos();
        while (tally.answered() < expected && System.nanoTime() - giveUp < 0) {
            for (PolledAnswer answer : seen.poll(Duration.ofMillis(50))) {
                tally.add(pacer.callNumber(answer.dueNanos()), answer, System.nanoTime() - answer.dueNanos());
            }
            running.requireAlive();
        }
        return tally;
    }

    private int expected() {
        return Math.toIntExact(LongStream.range(0, options.fairnessCalls())
                .filter(number -> calledTargets.contains(FairnessTarget.forCall(number)))
                .count());
    }
}
