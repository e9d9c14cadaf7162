package io.iocluster.lab.bench;

import io.iocluster.lab.bench.broker.AnswerPoller;
import io.iocluster.lab.bench.broker.BenchQueues;
import io.iocluster.lab.bench.broker.EnvelopeWriter;
import io.iocluster.lab.bench.broker.LoadPattern;
import io.iocluster.lab.bench.broker.PolledAnswer;
import io.iocluster.lab.load.result.LatencyHistogram;
import io.iocluster.lab.load.result.LatencyRecorder;
import io.iocluster.lab.load.schedule.Pacer;
import io.iocluster.lab.load.schedule.Schedule;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Measures latency at a steady rate, in an open loop, with a target that takes 100 ms. The latency of a call is the
 * time from when it was due, whether or not earlier calls have ended, to when its answer is read from the queue of
 * answers.
 */
final class LatencyScenario implements Scenario {

    private static final long LAST_ANSWER_SECONDS = 30;
    private static final double[] PERCENTILES = {50, 90, 99, 99.9};

    @Override
    public String name() {
        return "latency";
    }

    @Override
    public Measurement measure(BenchEnvironment environment, Subject subject, int round, BenchOptions options) {
        try (BenchQueues queues = environment.newQueues();
                RunningSubject running = environment.start(
                        subject, new SubjectSetup(queues, options.maxInFlight, LoadPattern.STEADY), options);
                EnvelopeWriter envelopes = queues.envelopes(LoadPattern.STEADY);
                AnswerPoller poller = queues.answers()) {
            String url = environment.target().url("/delay?ms=100");
            new WarmUp(running, poller)
                    .run(queues, envelopes, url, environment.target().url("/ok"), options.warmup());
            return run(running, envelopes, url, poller, subject, round, options);
        }
    }

    private static Measurement run(
            RunningSubject running,
            EnvelopeWriter envelopes,
            String url,
            AnswerPoller poller,
            Subject subject,
            int round,
            BenchOptions options) {
        long start = System.nanoTime();
        long measuredFrom = start + TimeUnit.SECONDS.toNanos(options.warmupSeconds);
        long end = measuredFrom + TimeUnit.SECONDS.toNanos(options.seconds);
        long before = (long) options.warmupSeconds * options.rate();
        long expected = (long) options.seconds * options.rate();
        Schedule schedule = Schedule.constant(options.rate(), before + expected);
        Pacer pacer = Pacer.of(start, schedule, (number, due) -> envelopes.send(url, due));
        pacer.start();
        LatencyRecorder latencies = new LatencyRecorder();
        long cpuFrom = -1;
        long cpu = 0;
        boolean cpuOpen = true;
        long bad = 0;
        long giveUp = end + TimeUnit.SECONDS.toNanos(LAST_ANSWER_SECONDS);
        while (latencies.count() < expected && System.nanoTime() - giveUp < 0) {
            for (PolledAnswer answer : poller.poll(Duration.ofMillis(50))) {
                if (schedule.callAt(answer.dueNanos() - start) >= before) {
                    latencies.record(System.nanoTime() - answer.dueNanos());
                    bad += answer.isOk() ? 0 : 1;
                }
            }
            long now = System.nanoTime();
            if (cpuFrom < 0 && now - measuredFrom >= 0) {
                cpuFrom = running.meter().cpuMicros();
            }
            if (cpuOpen && now - end >= 0) {
                cpuOpen = false;
                cpu = running.meter().cpuMicros() - cpuFrom;
            }
            running.requireAlive();
        }
        pacer.awaitSent();
        envelopes.flush();
        LatencyHistogram latency = latencies.histogram();
        if (latency.count() < expected || bad > 0) {
            throw running.failure("answered " + latency.count() + " of " + expected + ", " + bad + " not with 200");
        }
        if (cpuOpen) {
            cpu = running.meter().cpuMicros() - cpuFrom;
        }
        Map<String, Double> extras = new LinkedHashMap<>();
        for (double percentile : PERCENTILES) {
            extras.put(LatencyHistogram.name(percentile) + " ms", latency.millisAt(percentile));
        }
        extras.put("max ms", latency.maxMillis());
        return new Measurement(
                        subject,
                        round,
                        latency.count(),
                        (double) latency.count() / options.seconds,
                        (double) cpu / latency.count(),
                        running.meter().peakResidentBytes(),
                        running.peakHeapBytes(),
                        extras)
                .withLatencies(Map.of("calls", latency));
    }
}
