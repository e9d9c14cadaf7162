package io.iocluster.lab.bench;

import io.iocluster.lab.bench.broker.AnswerPoller;
import io.iocluster.lab.bench.broker.BenchQueues;
import io.iocluster.lab.bench.broker.LoadPattern;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Measures throughput and CPU per call with a full queue and a target that answers at once. A new process of the subject starts on the
 * queue. Measures the whole drain, from the first answer to the last, and its steady part.
 */
final class DrainScenario implements Scenario {

    /** Share of the answers after which the steady part begins, because the JVM is warm. */
    private static final double STEADY_FROM = 0.2;

    /** Share of the answers at which the steady part ends, while the queue is still full. */
    private static final double STEADY_TO = 0.95;

    @Override
    public String name() {
        return "drain";
    }

    /**
     * Returns calls a second of the whole drain, and the CPU time of the process from its start to the last answer,
     * divided by the calls. The extras contain both values for the steady part, the time of the first answer, the CPU
     * time of the target and of the broker for each call, the number of duplicates, and both rates by the timestamps of the
     * answers if the broker has them.
     */
    @Override
    public Measurement measure(BenchEnvironment environment, Subject subject, int round, BenchOptions options) {
        int calls = options.requests();
        environment.target().resetRequestLog();
        try (BenchQueues queues = environment.newQueues()) {
            Backlog.enqueue(queues, List.of(environment.target().url("/ok")), calls);
            WorkDone before = WorkDone.now(0, environment, List.of());
            try (RunningSubject running = environment.start(
                            subject, new SubjectSetup(queues, options.maxInFlight, LoadPattern.BACKLOG), options);
                    AnswerPoller poller = queues.answers()) {
                Backlog backlog = new Backlog(environment, queues, List.of(running), poller);
                WorkDone first = backlog.await(1);
                WorkDone steadyFrom = backlog.await(Math.round(calls * STEADY_FROM));
                WorkDone steady = backlog.await(Math.round(calls * STEADY_TO)).since(steadyFrom);
                WorkDone last = backlog.await(calls);
                WorkDone whole = last.since(before);
                // Duplicates do not count, because they are not calls.
                Measurement measured = new Measurement(
                        running, round, calls, last.since(first).callsPerSecond(), (double) whole.cpuMicros() / calls);
                Map<String, Double> extras = measured.extras();
                extras.put(BenchReport.STEADY_RATE, steady.callsPerSecond());
                extras.put(BenchReport.STEADY_CPU, steady.cpuMicrosPerCall());
                extras.put("first answer s", (first.nanos() - before.nanos()) / 1e9);
                extras.put("target µs", (double) whole.targetMicros() / calls);
                extras.put("broker µs", (double) whole.brokerMicros() / calls);
                extras.put("duplicates", (double) backlog.duplicates(calls));
                backlog.requireSuccess(calls);
                extras.putAll(byTimestamps(poller.publishTimes()));
                return measured;
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
