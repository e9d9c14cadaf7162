package io.iocluster.lab.bench.scenario;

import io.iocluster.lab.bench.queue.AnswerPoller;
import io.iocluster.lab.bench.queue.BenchQueues;
import io.iocluster.lab.bench.queue.EnvelopeWriter;
import io.iocluster.lab.bench.queue.LoadPattern;
import io.iocluster.lab.bench.queue.PolledAnswer;
import io.iocluster.lab.bench.run.BenchEnvironment;
import io.iocluster.lab.bench.run.BenchOptions;
import io.iocluster.lab.bench.run.Measurement;
import io.iocluster.lab.bench.run.RunningSubject;
import io.iocluster.lab.bench.run.Scenario;
import io.iocluster.lab.bench.run.Subject;
import io.iocluster.lab.bench.run.SubjectSetup;
import io.iocluster.lab.bench.run.WarmUp;
import io.iocluster.lab.load.schedule.Pacer;
import io.iocluster.lab.load.schedule.Schedule;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Measures latency at a steady rate, in an open loop, with a target that takes 100 ms. The latency of a call is the
 * time from when it was due, whether or not earlier calls have ended, to when its answer is read from the queue of
 * answers.
 */
public final class LatencyScenario implements Scenario {

    private static final long LAST_ANSWER_SECONDS = 30;

    @Override
    public String name() {
        return "latency";
    }

    @Override
    public Measurement measure(BenchEnvironment environment, Subject subject, int round, BenchOptions options) {
        try (BenchQueues queues = environment.newQueues();
                RunningSubject running = environment.start(
                        subject, new SubjectSetup(queues, options.maxInFlight(), LoadPattern.STEADY), options);
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
        long measuredFrom = start + TimeUnit.SECONDS.toNanos(options.warmupSeconds());
        long end = measuredFrom + TimeUnit.SECONDS.toNanos(options.seconds());
        long before = (long) options.warmupSeconds() * options.rate();
        long expected = (long) options.seconds() * options.rate();
        Schedule schedule = Schedule.constant(options.rate(), before + expected);
        Pacer pacer = Pacer.of(start, schedule, (number, due) -> envelopes.send(url, due));
        pacer.start();
        Histogram micros = new Histogram(TimeUnit.MINUTES.toMicros(5), 3);
        long cpuFrom = -1;
        long cpu = 0;
        boolean cpuOpen = true;
        long bad = 0;
        long giveUp = end + TimeUnit.SECONDS.toNanos(LAST_ANSWER_SECONDS);
        while (micros.getTotalCount() < expected && System.nanoTime() - giveUp < 0) {
            for (PolledAnswer answer : poller.poll(Duration.ofMillis(50))) {
                if (schedule.callAt(answer.dueNanos() - start) >= before) {
                    micros.recordValue((System.nanoTime() - answer.dueNanos()) / 1_000);
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
        if (micros.getTotalCount() < expected || bad > 0) {
            throw running.failure(
                    "answered " + micros.getTotalCount() + " of " + expected + ", " + bad + " not with 200");
        }
        if (cpuOpen) {
            cpu = running.meter().cpuMicros() - cpuFrom;
        }
        Map<String, Double> extras = new LinkedHashMap<>();
        extras.put("p50 ms", micros.getValueAtPercentile(50) / 1e3);
        extras.put("p90 ms", micros.getValueAtPercentile(90) / 1e3);
        extras.put("p99 ms", micros.getValueAtPercentile(99) / 1e3);
        extras.put("p99.9 ms", micros.getValueAtPercentile(99.9) / 1e3);
        extras.put("max ms", micros.getMaxValue() / 1e3);
        return new Measurement(
                subject,
                round,
                micros.getTotalCount(),
                (double) micros.getTotalCount() / options.seconds(),
                (double) cpu / micros.getTotalCount(),
                running.meter().peakResidentBytes(),
                running.peakHeapBytes(),
                extras);
    }
}
