package io.iocluster.lab.bench;

import io.iocluster.lab.bench.broker.AnswerPoller;
import io.iocluster.lab.bench.broker.BenchQueues;
import io.iocluster.lab.bench.broker.EnvelopeWriter;
import io.iocluster.lab.bench.broker.LoadPattern;
import io.iocluster.lab.bench.broker.PolledAnswer;
import io.iocluster.lab.load.schedule.Pacer;
import io.iocluster.lab.load.schedule.Schedule;
import java.time.Duration;
import java.util.Set;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;

/**
 * Runs a fresh node on the schedule of the fairness scenario.
 *
 * @param calledTargets the targets to call; calls to the others are skipped
 */
record FairnessRun(
        BenchEnvironment environment,
        FairnessTargets targets,
        Set<FairnessTarget> calledTargets,
        BenchOptions options) {

    /** Longer than the deadline of a call. */
    private static final Duration LAST_ANSWER_TIMEOUT = Duration.ofSeconds(60);

    /**
     * The measurements from the first call to the last answer.
     *
     * @param cpuMicros CPU time of the node
     */
    record FairnessRunResult(FairnessTally tally, long cpuMicros, long peakResidentBytes, long peakHeapBytes) {}

    FairnessRunResult measure() {
        try (BenchQueues queues = environment.newQueues();
                RunningSubject running = environment.start(
                        Subject.NODE, new SubjectSetup(queues, options.maxInFlight, LoadPattern.STEADY), options);
                EnvelopeWriter envelopes = queues.envelopes(LoadPattern.STEADY);
                AnswerPoller poller = queues.answers()) {
            WarmUp warmUp = new WarmUp(running, poller);
            String good = targets.url(FairnessTarget.GOOD);
            warmUp.run(queues, envelopes, good, environment.target().url("/ok"), options.warmup());
            warmUpBadTargets(warmUp, envelopes);
            warmUp.runAtRate(envelopes, number -> good, options.fairRate, options.warmupSeconds / 2);
            long cpu = running.meter().cpuMicros();
            FairnessTally tally = measureCalls(running, envelopes, poller);
            return new FairnessRunResult(
                    tally,
                    running.meter().cpuMicros() - cpu,
                    running.meter().peakResidentBytes(),
                    running.peakHeapBytes());
        }
    }

    /** Calls other bad hosts first; otherwise, the JVM would compile their code paths during the measurement. */
    private void warmUpBadTargets(WarmUp warmUp, EnvelopeWriter envelopes) {
        try (FairnessTargets others = FairnessTargets.startWarmUpTargets(environment.target())) {
            warmUp.runAtRate(
                    envelopes,
                    number -> others.url(FairnessTarget.forCall(number)),
                    options.fairRate,
                    options.warmupSeconds / 2);
        }
    }

    private FairnessTally measureCalls(RunningSubject running, EnvelopeWriter envelopes, AnswerPoller poller) {
        long start = System.nanoTime();
        Schedule schedule = Schedule.constant(options.fairRate, options.fairCalls);
        Pacer pacer = Pacer.of(start, schedule, (number, due) -> {
            FairnessTarget target = FairnessTarget.forCall(number);
            if (calledTargets.contains(target)) {
                envelopes.send(targets.url(target), due);
            }
        });
        pacer.start();
        int expected = expected();
        FairnessTally tally = collect(running, poller, due -> schedule.callAt(due - start), expected);
        pacer.awaitSent();
        envelopes.flush();
        if (tally.answered() < expected || !tally.allGoodCallsSucceeded()) {
            throw running.failure(
                    "answered " + tally.answered() + " of " + expected + ", outcomes: " + tally.outcomes());
        }
        return tally;
    }

    private FairnessTally collect(
            RunningSubject running, AnswerPoller poller, LongUnaryOperator callNumber, int expected) {
        FairnessTally tally = new FairnessTally();
        long giveUp = System.nanoTime()
                + Duration.ofSeconds(options.fairCalls / options.fairRate)
                        .plus(LAST_ANSWER_TIMEOUT)
                        .toNanos();
        while (tally.answered() < expected && System.nanoTime() - giveUp < 0) {
            for (PolledAnswer answer : poller.poll(Duration.ofMillis(50))) {
                tally.add(callNumber.applyAsLong(answer.dueNanos()), answer, System.nanoTime() - answer.dueNanos());
            }
            running.requireAlive();
        }
        return tally;
    }

    private int expected() {
        return Math.toIntExact(LongStream.range(0, options.fairCalls)
                .filter(number -> calledTargets.contains(FairnessTarget.forCall(number)))
                .count());
    }
}
