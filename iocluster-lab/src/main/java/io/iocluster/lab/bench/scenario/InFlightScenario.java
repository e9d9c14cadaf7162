package io.iocluster.lab.bench.scenario;

import io.iocluster.lab.bench.run.BacklogRun;
import io.iocluster.lab.bench.run.BenchEnvironment;
import io.iocluster.lab.bench.run.BenchOptions;
import io.iocluster.lab.bench.run.Measurement;
import io.iocluster.lab.bench.run.Scenario;
import io.iocluster.lab.bench.run.Subject;
import java.util.LinkedHashMap;
import java.util.Map;

/** Measures how many calls are open at once, with a full queue and a target that takes one second. */
public final class InFlightScenario implements Scenario {

    @Override
    public String name() {
        return "in-flight";
    }

    @Override
    public Measurement measure(BenchEnvironment environment, Subject subject, int round, BenchOptions options) {
        Measurement measured = new BacklogRun(
                        "/delay?ms=1000",
                        options.warmup(),
                        options.openCalls(),
                        options.openCallRequests(),
                        options.openCalls())
                .measure(environment, subject, round, options);
        Map<String, Double> extras = new LinkedHashMap<>(measured.extras());
        extras.put("peak open", (double) environment.peakOpenRequests());
        return new Measurement(
                subject,
                round,
                measured.calls(),
                measured.callsPerSecond(),
                measured.cpuMicrosPerCall(),
                measured.peakResidentBytes(),
                measured.peakHeapBytes(),
                extras);
    }
}
