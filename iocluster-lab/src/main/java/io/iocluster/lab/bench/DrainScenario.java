package io.iocluster.lab.bench;


/**
 * Measures throughput and CPU per call with a full queue and a target that answers at once. Measures the whole drain
 * by a new process, and its steady part.
 */
final class DrainScenario implements Scenario {

    @Override
    public String name() {
        return "drain";
    }

    @Override
    public Measurement measure(BenchEnvironment environment, Subject subject, int round, BenchOptions options) {
        return new DrainRun("/ok", options.requests(), options.maxInFlight)
                .measure(environment, subject, round, options);
    }
}
