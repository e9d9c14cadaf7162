package io.iocluster.lab.bench.scenario;

import io.iocluster.lab.bench.run.BacklogRun;
import io.iocluster.lab.bench.run.BenchEnvironment;
import io.iocluster.lab.bench.run.BenchOptions;
import io.iocluster.lab.bench.run.Measurement;
import io.iocluster.lab.bench.run.Scenario;
import io.iocluster.lab.bench.run.Subject;

/** A full queue and a target that answers at once: how fast, and for how much CPU. */
public final class DrainScenario implements Scenario {

    @Override
    public String name() {
        return "drain";
    }

    @Override
    public Measurement measure(BenchEnvironment lab, Subject subject, int round, BenchOptions options) {
        return new BacklogRun("/ok", options.warmup(), 0, options.requests(), options.maxInFlight())
                .measure(lab, subject, round, options);
    }
}
