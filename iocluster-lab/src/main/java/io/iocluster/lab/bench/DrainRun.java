package io.iocluster.lab.bench;

import io.iocluster.lab.bench.broker.AnswerPoller;
import io.iocluster.lab.bench.broker.BenchQueues;
import io.iocluster.lab.bench.broker.LoadPattern;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Enqueues a backlog, starts a new process of the subject, and measures from the first answer to the last. Meanwhile
 * this process only counts the answers, because reading them takes CPU time from the subject.
 *
 * @param calls number of envelopes, at least 1,000
 */
record DrainRun(String path, int calls, int maxInFlight) {

    /** Share of the answers after which the steady part begins, because the JVM is warm. */
    private static final double STEADY_FROM = 0.2;

    /** Share of the answers at which the steady part ends, while the queue is still full. */
    private static final double STEADY_TO = 0.95;

    /**
     * Returns calls a second of the whole drain, and the CPU time of the process from its start to the last answer,
     * divided by the calls. The extras contain both values for the steady part, the time of the first answer, the CPU
     * time of the target and of the broker for each call, the number of duplicates, and both rates by the timestamps of the
     * answers if the broker has them.
     */
    public Measurement measure(BenchEnvironment environment, Subject subject, int round, BenchOptions options) {
        environment.target().resetRequestLog();
        try (BenchQueues queues = environment.newQueues()) {
            Backlog.enqueue(queues, environment.target().url(path), calls);
            long started = System.nanoTime();
            CpuTimes before = CpuTimes.now(environment);
            try (RunningSubject running = environment.start(
                            subject, new SubjectSetup(queues, maxInFlight, LoadPattern.BACKLOG), options);
                    AnswerPoller poller = queues.answers()) {
                AnswerCounter answers = new AnswerCounter(running, poller);
                Moment first = Moment.await(1, environment, running, answers);
                Moment steadyFrom = Moment.await(Math.round(calls * STEADY_FROM), environment, running, answers);
                Moment steadyTo = Moment.await(Math.round(calls * STEADY_TO), environment, running, answers);
                Moment last = Moment.await(calls, environment, running, answers);
                long memory = running.meter().peakResidentBytes();
                long heap = running.peakHeapBytes();
                long duplicates = poller.count() - calls;
                Backlog.requireSuccess(running, queues, poller, calls);
                // Duplicates do not count, because they are not calls.
                Moment.Span whole = new Moment.Span(
                        calls, last.nanos() - started, last.cpu().since(before));
                Moment.Span steady = steadyTo.since(steadyFrom);
                Map<String, Double> extras = new LinkedHashMap<>();
                extras.put(BenchReport.STEADY_RATE, steady.callsPerSecond());
                extras.put(BenchReport.STEADY_CPU, steady.cpuMicrosPerCall());
                extras.put("first answer s", (first.nanos() - started) / 1e9);
                extras.putAll(Backlog.extras(whole, duplicates));
                extras.putAll(byTimestamps(poller.publishTimes()));
                return new Measurement(
                        subject,
                        round,
                        calls,
                        last.since(first).callsPerSecond(),
                        whole.cpuMicrosPerCall(),
                        memory,
                        heap,
                        extras);
            }
        }
    }

    /**
     * Returns the rates of the whole drain and of its steady part, as any other reader of the answers finds them.
     *
     * @param millis when each answer was published, ascending
     * @return empty if there are no such times
     */
    static Map<String, Double> byTimestamps(long[] millis) {
        if (millis.length == 0) {
            return Map.of();
        }
        int last = millis.length - 1;
        int from = (int) (millis.length * STEADY_FROM);
        int to = (int) (millis.length * STEADY_TO);
        Map<String, Double> rates = new LinkedHashMap<>();
        rates.put("by timestamps calls/s", last * 1e3 / Math.max(1, millis[last] - millis[0]));
        rates.put("by timestamps steady calls/s", (to - from) * 1e3 / Math.max(1, millis[to] - millis[from]));
        return rates;
    }
}
