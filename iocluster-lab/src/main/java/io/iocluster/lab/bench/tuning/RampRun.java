package io.iocluster.lab.bench.tuning;

import io.iocluster.lab.bench.queue.AnswerPoller;
import io.iocluster.lab.bench.queue.BenchQueues;
import io.iocluster.lab.bench.queue.EnvelopeWriter;
import io.iocluster.lab.bench.queue.LoadPattern;
import io.iocluster.lab.bench.run.BenchEnvironment;
import io.iocluster.lab.bench.run.BenchOptions;
import io.iocluster.lab.bench.run.NodeAdminClient;
import io.iocluster.lab.bench.run.NodeConfigFile;
import io.iocluster.lab.bench.run.RunningSubject;
import io.iocluster.lab.bench.run.Subject;
import io.iocluster.lab.bench.run.SubjectSetup;
import io.iocluster.lab.bench.run.WarmUp;
import io.iocluster.lab.bench.tuning.RampResult.RampSample;
import io.iocluster.lab.bench.tuning.RampResult.SizeChange;
import io.iocluster.lab.load.schedule.Pacer;
import io.iocluster.lab.load.schedule.Schedule;
import io.iocluster.testkit.process.FreePorts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.JsonNode;

/**
 * Runs a fresh node while its input rate rises in steps. The advisor is off while the JVM warms up.
 *
 * @param advisor the advisor's mode after the warm-up
 */
record RampRun(BenchEnvironment environment, String advisor, BenchOptions options) {

    private static final int MAX_IN_FLIGHT = 50;
    private static final Duration RELOAD_TIMEOUT = Duration.ofSeconds(20);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    RampResult measure() {
        int port = FreePorts.find(1)[0];
        try (BenchQueues queues = environment.newQueues()) {
            try (RunningSubject running = environment.start(Subject.NODE, setup(queues, port, "off"), options);
                    // Batched to save CPU on the shared machine; the lag is measured in seconds.
                    EnvelopeWriter envelopes = queues.envelopes(LoadPattern.BACKLOG);
                    AnswerPoller poller = queues.answers()) {
                String url = environment.target().url("/delay?ms=100");
                new WarmUp(running, poller)
                        .run(queues, envelopes, url, environment.target().url("/ok"), options.warmup());
                NodeConfigFile.write(setup(queues, port, advisor), options, running.file(Subject.NODE_CONFIG));
                NodeAdminClient admin = new NodeAdminClient(port);
                awaitAdvisor(running, admin);
                return ramp(running, admin, envelopes, url, poller);
            }
        }
    }

    private static SubjectSetup setup(BenchQueues queues, int port, String mode) {
        Map<String, String> settings = Map.of("admin.port", Integer.toString(port), "tuning.mode", mode);
        return new SubjectSetup(queues, MAX_IN_FLIGHT, LoadPattern.STEADY, settings);
    }

    private void awaitAdvisor(RunningSubject running, NodeAdminClient admin) {
        long end = System.nanoTime() + RELOAD_TIMEOUT.toNanos();
        while (!admin.getJson("/api/tuning").get("mode").asString().equals(advisor)) {
            running.requireAlive();
            if (System.nanoTime() - end > 0) {
                throw running.failure("did not apply tuning.mode " + advisor);
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    private RampResult ramp(
            RunningSubject running, NodeAdminClient admin, EnvelopeWriter envelopes, String url, AnswerPoller poller) {
        AtomicLong sent = new AtomicLong();
        List<RampSample> samples = new ArrayList<>();
        Instant started = Instant.now();
        long start = System.nanoTime();
        long firstCpu = running.meter().cpuMicros();
        long lastCpu = firstCpu;
        long lastNanos = start;
        long answered = 0;
        for (int rate : options.tuningRates()) {
            long due = start + samples.size() * NANOS_PER_SECOND;
            Pacer pacer = Pacer.of(
                    due, Schedule.constant(rate, (long) rate * options.tuningSeconds()), (number, dueNanos) -> {
                        envelopes.send(url, dueNanos);
                        sent.incrementAndGet();
                    });
            pacer.start();
            for (int i = 0; i < options.tuningSeconds(); i++) {
                long end = start + (samples.size() + 1) * NANOS_PER_SECOND;
                long before = answered;
                while (end - System.nanoTime() > 0) {
                    answered += poller.poll(Duration.ofMillis(50)).size();
                }
                running.requireAlive();
                JsonNode status = admin.getJson("/api/status");
                long cpu = running.meter().cpuMicros();
                long now = System.nanoTime();
                samples.add(new RampSample(
                        samples.size() + 1,
                        sent.get() - answered,
                        answered - before,
                        status.get("inFlight").asInt(),
                        status.get("inFlightLimit").asInt(),
                        (cpu - lastCpu)
                                * 1e3
                                / (now - lastNanos)
                                / Runtime.getRuntime().availableProcessors()));
                lastCpu = cpu;
                lastNanos = now;
            }
            pacer.awaitSent();
        }
        return new RampResult(
                advisor,
                options.tuningRates(),
                options.tuningSeconds(),
                samples,
                sizeChanges(admin.getJson("/api/tuning"), started),
                answered,
                lastCpu - firstCpu,
                running.meter().peakResidentBytes(),
                running.peakHeapBytes());
    }

    private static List<SizeChange> sizeChanges(JsonNode tuning, Instant started) {
        List<SizeChange> sizeChanges = new ArrayList<>();
        for (JsonNode step : tuning.get("steps")) {
            Instant at = Instant.parse(step.get("at").asString());
            sizeChanges.add(new SizeChange(
                    Duration.between(started, at).toMillis() / 1e3,
                    step.get("before").asInt(),
                    step.get("after").asInt()));
        }
        return sizeChanges;
    }
}
