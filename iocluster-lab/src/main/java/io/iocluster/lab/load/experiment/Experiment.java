package io.iocluster.lab.load.experiment;

import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * A load test: what is called at which rate, what is broken during the run, and what is expected. Immutable.
 *
 * @param expectations each is valid for {@link Expectation#parse}
 */
public record Experiment(
        @Setting(doc = "Name of the experiment, for the report.")
        String name,

        @Setting(doc = "What you believe, in a sentence. The report compares it with what happened.", value = "''")
        String hypothesis,

        @Setting(doc = "Seed of all random choices. The same seed gives the same calls in the same order.", value = "1")
        long seed,

        @Setting(doc = "What the calls go through.") SystemUnderTest system,

        @Setting(doc = "The calls. Each call of a phase uses one of them, chosen by weight.")
        List<RequestTemplate> requests,

        @Setting(doc = "Data for the placeholders of the requests.")
        List<Feeder> feeders,

        @Setting(doc = "The load over time. Phases run one after the other.")
        List<Phase> phases,

        @Setting(
                doc = "Conditions that must hold, such as `p99 < 300ms`. If one does not, the run exits with 1.",
                value = "[]")
        List<String> expectations,

        @Setting(doc = "What breaks during the run.") List<Fault> faults,

        @Setting(doc = "Metrics that are read during the run.")
        List<MetricQuery> metrics,

        @Setting(doc = "Interval between two readings of the metrics and of the nodes' status.", value = "1s")
        Duration metricsInterval,

        @Setting(
                doc = "How long the run waits for missing answers after the last call. Answers that are still missing"
                        + " then count as `unanswered`.",
                value = "10s")
        Duration drainTimeout) {

    /** More histograms would not fit into memory. */
    private static final int MAX_HISTOGRAMS = 500;

    private static final Duration MIN_METRICS_INTERVAL = Duration.ofMillis(10);

    public Experiment {
        SettingsValidator validator = new SettingsValidator()
                .checkNotBlank("name", name)
                .check(!phases.isEmpty(), "phases", "must have at least one phase")
                .checkRange("metrics-interval", metricsInterval, MIN_METRICS_INTERVAL, Duration.ofHours(1))
                .checkRange("drain-timeout", drainTimeout, Duration.ZERO, Duration.ofDays(1))
                .check(
                        Math.max(1, requests.size()) * phases.size() <= MAX_HISTOGRAMS,
                        "phases",
                        "must not be more than " + MAX_HISTOGRAMS + " together with the requests: " + phases.size()
                                + " × " + requests.size())
                .check(
                        !requests.isEmpty() || phases.stream().allMatch(phase -> phase.shape() == Phase.Shape.REPLAY),
                        "requests",
                        "must have at least one request, except if all phases replay a file");
        distinct(validator, "requests", requests, RequestTemplate::name);
        distinct(validator, "feeders", feeders, Feeder::name);
        distinct(validator, "phases", phases, Phase::name);
        distinct(validator, "faults", faults, Fault::name);
        distinct(validator, "metrics", metrics, MetricQuery::name);
        CrossReferences.check(validator, system, requests, feeders, phases, expectations, faults, metrics);
        validator.throwIfInvalid();
    }

    private static <T> void distinct(
            SettingsValidator validator, String key, List<T> entries, Function<T, String> name) {
        Set<String> seen = new HashSet<>();
        validator.checkEach(
                key,
                entries,
                (path, entry) -> validator.check(
                        seen.add(name.apply(entry)), path + ".name", "is used twice: " + name.apply(entry)));
    }

    /** Returns the expectations, parsed. */
    public List<Expectation> parsedExpectations() {
        return expectations.stream().map(Expectation::parse).toList();
    }

    /** Returns the phase of this name. */
    public Optional<Phase> phase(String phaseName) {
        return phases.stream().filter(phase -> phase.name().equals(phaseName)).findFirst();
    }

    /** Returns how long the phases take together; a search counts with its longest possible duration. */
    public Duration plannedDuration() {
        return phases.stream().map(Phase::plannedDuration).reduce(Duration.ZERO, Duration::plus);
    }

    /** Returns how long a run takes at most, with its waits for answers and for expectations; without replays of unknown length. */
    public Duration longestDuration() {
        Duration within = parsedExpectations().stream()
                .map(Expectation::within)
                .filter(Objects::nonNull)
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
        return plannedDuration().plus(drainTimeout).plus(within);
    }
}
