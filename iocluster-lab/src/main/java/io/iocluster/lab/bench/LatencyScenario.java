package io.iocluster.lab.bench;

import io.iocluster.lab.bench.broker.AnswerPoller;
import io.iocluster.lab.bench.broker.BenchQueues;
import io.iocluster.lab.bench.broker.EnvelopeWriter;
import io.iocluster.lab.bench.broker.LoadPattern;
import io.iocluster.lab.load.result.LatencyHistogram;

/** Measures latency at a steady rate, in an open loop, with a target that takes 100 ms. */
final class LatencyScenario implements Scenario {

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
            OpenLoop loop = new OpenLoop(running, envelopes, poller);
            String url = environment.target().url("/delay?ms=100");
            loop.warmUp(queues, url, environment.target().url("/ok"), options.warmup());
            loop.warmUpAtRate(number -> url, options.rate(), options.warmupSeconds);
            long cpuFrom = running.meter().cpuMicros();
            LatencyHistogram latency = loop.measure(url, options.rate(), options.seconds);
            double cpu = running.meter().cpuMicros() - cpuFrom;
            Measurement measured =
                    new Measurement(running, round, latency.count(), options.rate(), cpu / latency.count());
            for (double percentile : PERCENTILES) {
                measured.extras().put(LatencyHistogram.name(percentile) + " ms", latency.millisAt(percentile));
            }
            measured.extras().put("max ms", latency.maxMillis());
            measured.latencies().put("calls", latency);
            return measured;
        }
    }
}
