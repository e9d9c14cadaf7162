package io.iocluster.lab.bench;

import io.iocluster.lab.bench.broker.AnswerPoller;
import io.iocluster.lab.bench.broker.BenchQueues;
import io.iocluster.lab.bench.broker.EnvelopeWriter;
import io.iocluster.lab.bench.broker.LoadPattern;
import io.iocluster.lab.bench.broker.PolledAnswer;
import io.iocluster.lab.load.result.LatencyHistogram;
import io.iocluster.lab.load.result.LatencyRecorder;
import io.iocluster.lab.load.schedule.Schedule;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A fresh node on the schedule of the fairness scenario. Answers are parsed only when the outcomes are requested, because parsing would
 * delay the next poll. Confined to the main thread.
 */
final class FairnessRun {

    private final LatencyRecorder good = new LatencyRecorder();
    private final Map<FairnessTarget, List<PolledAnswer>> answers = new EnumMap<>(FairnessTarget.class);

    /**
     * Makes the calls and returns the measurement, without extras.
     *
     * @param called the targets to call; calls to the others are left out
     * @throws IllegalStateException if an answer is missing, or a call to the good host fails
     */
    Measurement measure(
            BenchEnvironment environment,
            FairnessTargets targets,
            Set<FairnessTarget> called,
            int round,
            BenchOptions options) {
        try (BenchQueues queues = environment.newQueues();
                RunningSubject running = environment.start(
                        Subject.NODE, new SubjectSetup(queues, options.maxInFlight, LoadPattern.STEADY), options);
                EnvelopeWriter envelopes = queues.envelopes(LoadPattern.STEADY);
                AnswerPoller poller = queues.answers()) {
            OpenLoop loop = new OpenLoop(running, envelopes, poller);
            String goodUrl = targets.url(FairnessTarget.GOOD);
            loop.warmUp(queues, goodUrl, environment.target().url("/ok"), options.warmup());
            // Calls other bad hosts first; otherwise, the JVM would compile their code paths during the measurement.
            loop.warmUpAtRate(
                    number -> targets.warmUpUrl(FairnessTarget.forCall(number)),
                    options.fairRate,
                    options.warmupSeconds / 2);
            loop.warmUpAtRate(number -> goodUrl, options.fairRate, options.warmupSeconds / 2);
            long cpuFrom = running.meter().cpuMicros();
            loop.run(
                    Schedule.constant(options.fairRate, options.fairCalls),
                    number -> {
                        FairnessTarget target = FairnessTarget.forCall(number);
                        return called.contains(target) ? targets.url(target) : null;
                    },
                    this::add);
            double cpu = running.meter().cpuMicros() - cpuFrom;
            return new Measurement(running, round, options.fairCalls, options.fairRate, cpu / options.fairCalls);
        }
    }

    /** Adds the answer of a call that arrived {@code nanos} after the call was due. Returns false if a call to the good host failed. */
    boolean add(long number, PolledAnswer answer, long nanos) {
        FairnessTarget target = FairnessTarget.forCall(number);
        answers.computeIfAbsent(target, any -> new ArrayList<>()).add(answer);
        if (target != FairnessTarget.GOOD) {
            return true;
        }
        good.record(nanos);
        return answer.isOk();
    }

    /** Returns the latencies of the calls to the good host. */
    LatencyHistogram goodLatency() {
        return good.histogram();
    }

    /** Returns the number of calls by host and by status or error code. */
    Map<String, Map<String, Long>> outcomes() {
        Map<String, Map<String, Long>> named = new LinkedHashMap<>();
        answers.forEach((target, all) -> named.put(
                target.label(),
                all.stream()
                        .collect(Collectors.groupingBy(
                                PolledAnswer::outcomeCode, TreeMap::new, Collectors.counting()))));
        return named;
    }
}
