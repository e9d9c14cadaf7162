package io.iocluster.lab.load.result;

import io.iocluster.lab.load.experiment.Experiment;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Everything that is known about a run. Immutable. {@link ResultJson} writes and reads it.
 *
 * @param runId unique identifier of the run
 * @param name name of the experiment
 * @param hypothesis empty if the experiment has none
 * @param system description of the system under test, without credentials: {@code kafka 127.0.0.1:9092}
 * @param seed the seed of the random choices
 * @param partialReason null if the run is complete, else why it ended early: {@code interrupted}, {@code agent agent-2: died}
 * @param phases the phases that started, in their order
 * @param series one point for each interval of the run, in the order of time
 * @param intervalSeconds length of an interval of {@code series}; 1 unless the run is longer than two hours
 * @param metrics samples of metrics
 * @param faults the faults that were started, or that could not be started
 * @param expectations the outcome of each expectation, in the order of the experiment
 * @param search the result of the last phase of shape {@code search}; null if there is none
 * @param environment the machine and the programs
 */
public record RunResult(
        String runId,
        String name,
        String hypothesis,
        String system,
        long seed,
        Instant startedAt,
        Instant endedAt,
        String partialReason,
        List<PhaseResult> phases,
        List<TimePoint> series,
        int intervalSeconds,
        List<MetricSeries> metrics,
        List<FaultMark> faults,
        List<ExpectationOutcome> expectations,
        SearchResult search,
        GeneratorResult generator,
        Environment environment) {

    /** The version of the JSON format. */
    public static final int FORMAT = 1;

    public RunResult {
        phases = List.copyOf(phases);
        series = List.copyOf(series);
        metrics = List.copyOf(metrics);
        faults = List.copyOf(faults);
        expectations = List.copyOf(expectations);
    }

    /** Returns whether the run ended as planned. */
    public boolean isComplete() {
        return partialReason == null;
    }

    /** Returns whether the run is complete, all expectations are met, and every fault was started and undone. */
    public boolean isSuccess() {
        return isComplete()
                && expectations.stream().allMatch(each -> each.state() == ExpectationOutcome.State.MET)
                && faults.stream().allMatch(fault -> fault.problem() == null);
    }

    /** Returns the phase of this name, if it started. */
    public Optional<PhaseResult> phase(String phaseName) {
        return phases.stream().filter(phase -> phase.name().equals(phaseName)).findFirst();
    }

    /** Returns the metric of this name, such as {@link MetricSeries#LAG_SECONDS}, if it was read. */
    public Optional<MetricSeries> metric(String metricName) {
        return metrics.stream()
                .filter(metric -> metric.name().equals(metricName))
                .findFirst();
    }

    /** Returns a description of the system under test without credentials. */
    public static String describe(Experiment experiment) {
        return experiment.system().description();
    }
}
