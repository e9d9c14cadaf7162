package io.iocluster.bench;

import io.iocluster.bench.Ramp.Moment;
import io.iocluster.bench.Ramp.Turn;
import io.iocluster.bench.queue.Answers;
import io.iocluster.bench.queue.BenchQueues;
import io.iocluster.bench.queue.Envelopes;
import io.iocluster.bench.queue.Load;
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
 * One run of a fresh node while its input rises step by step. Its advisor is off while the JVM warms up.
 *
 * @param advisor the mode from then on
 */
record RampRun(Lab lab, String advisor, BenchOptions options) {

    private static final int MAX_IN_FLIGHT = 50;
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    Ramp measure() {
        int port = FreePorts.find(1)[0];
        try (BenchQueues queues = lab.newQueues()) {
            try (RunningSubject running = lab.start(Subject.NODE, setup(queues, port, "off"), options);
                    // Gathered, for the machine is the node's too; their lag is of seconds.
                    Envelopes envelopes = queues.envelopes(Load.BACKLOG);
                    Answers seen = queues.answers()) {
                String url = lab.target().url("/delay?ms=100");
                new WarmUp(running, seen)
                        .run(queues, envelopes, url, lab.target().url("/ok"), options.warmup());
                NodeConfig.write(setup(queues, port, advisor), options, running.file(Subject.NODE_CONFIG));
                NodeAdmin admin = new NodeAdmin(port);
                awaitAdvisor(running, admin);
                return ramp(running, admin, envelopes, url, seen);
            }
        }
    }

    private static SubjectSetup setup(BenchQueues queues, int port, String mode) {
        Map<String, String> settings = Map.of("admin.port", Integer.toString(port), "tuning.mode", mode);
        return new SubjectSetup(queues, MAX_IN_FLIGHT, Load.STEADY, settings);
    }

    private void awaitAdvisor(RunningSubject running, NodeAdmin admin) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!admin.get("/api/tuning").get("mode").asString().equals(advisor)) {
            running.check();
            if (System.nanoTime() - end > 0) {
                throw running.failure("does not take up tuning.mode " + advisor);
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    private Ramp ramp(RunningSubject running, NodeAdmin admin, Envelopes envelopes, String url, Answers seen) {
        AtomicLong sent = new AtomicLong();
        List<Moment> moments = new ArrayList<>();
        Instant started = Instant.now();
        long start = System.nanoTime();
        long firstCpu = running.meter().cpuMicros();
        long lastCpu = firstCpu;
        long lastNanos = start;
        long answered = 0;
        for (int rate : options.tuneRates()) {
            long due = start + moments.size() * SECOND;
            Pacer pacer = new Pacer(due, rate, (long) rate * options.tuneSeconds(), (number, dueNanos) -> {
                envelopes.send(url, dueNanos);
                sent.incrementAndGet();
            });
            pacer.start();
            for (int i = 0; i < options.tuneSeconds(); i++) {
                long end = start + (moments.size() + 1) * SECOND;
                long before = answered;
                while (end - System.nanoTime() > 0) {
                    answered += seen.poll(Duration.ofMillis(50)).size();
                }
                running.check();
                JsonNode status = admin.get("/api/status");
                long cpu = running.meter().cpuMicros();
                long now = System.nanoTime();
                moments.add(new Moment(
                        moments.size() + 1,
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
            pacer.join();
        }
        return new Ramp(
                advisor,
                options.tuneRates(),
                options.tuneSeconds(),
                moments,
                turns(admin.get("/api/tuning"), started),
                answered,
                lastCpu - firstCpu,
                running.meter().peakResidentBytes(),
                running.peakHeapBytes());
    }

    private static List<Turn> turns(JsonNode tuning, Instant started) {
        List<Turn> turns = new ArrayList<>();
        for (JsonNode step : tuning.get("steps")) {
            Instant at = Instant.parse(step.get("at").asString());
            turns.add(new Turn(
                    Duration.between(started, at).toMillis() / 1e3,
                    step.get("before").asInt(),
                    step.get("after").asInt()));
        }
        return turns;
    }
}
