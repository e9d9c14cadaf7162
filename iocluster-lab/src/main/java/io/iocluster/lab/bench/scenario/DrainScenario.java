package io.iocluster.lab.bench.scenario;

import io.iocluster.lab.bench.run.BenchEnvironment;
import io.iocluster.lab.bench.run.BenchOptions;
import io.iocluster.lab.bench.run.DrainRun;
import io.iocluster.lab.bench.run.Measurement;
import io.iocluster.lab.bench.run.Scenario;
import io.iocluster.lab.bench.run.Subject;

/**
 * Measures throughput and CPU per call with a full queue and a target that answers at once. Measures the whole drain
 * by a new process, and its steady part.
 */
public final class DrainScenario implements Scenario {

    @Override
    public String name() {
        return "drain";
    }

    @Override
    public Measurement measure(BenchEnvironment environment, Subject subject, int round, BenchOptions options) {
        return new DrainRun("/ok", options.requests(), options.maxInFlight())
                .measure(environment, subject, round, options);
    }
}
