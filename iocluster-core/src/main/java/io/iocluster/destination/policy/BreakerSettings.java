package io.iocluster.destination.policy;

import io.iocluster.settings.DurationText;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import io.iocluster.settings.StatusPattern;
import java.time.Duration;
import java.util.List;

/** Settings of a destination's circuit breaker. Immutable. */
public record BreakerSettings(
        @Setting(value = "true", doc = "Whether the destination has a circuit breaker.")
        boolean enabled,

        @Setting(
                value = "50",
                doc = "The breaker opens when this percentage of the last calls failed with a network error, a"
                        + " timeout or one of `failure-statuses`.")
        int failurePercent,

        @Setting(value = "100", doc = "Last calls from which `failure-percent` is calculated.")
        int windowSize,

        @Setting(value = "20", doc = "Calls to count before the breaker may open.")
        int minimumCalls,

        @Setting(
                value = "5s",
                doc = "How long the breaker stays open before it lets probes through. The time doubles each time they"
                        + " fail, up to `max-open-duration`.")
        Duration openDuration,

        @Setting(value = "1m", doc = "Longest time that the breaker stays open without probes.")
        Duration maxOpenDuration,

        @Setting(value = "5", doc = "Number of [probes](destinations.md#the-breaker).")
        int halfOpenCalls,

        @Setting(
                value = "[5xx]",
                doc = "HTTP statuses that count as failures: `503`, or `5xx` for all of a class. With `[5xx, 401,"
                        + " 403, 429]` the breaker also opens if the target rejects the credential or asks for fewer"
                        + " calls.")
        List<StatusPattern> failureStatuses,

        @Setting(
                value = "false",
                doc = "Whether answers that are not [usable](destinations.md#usable-answers) by the destination's own"
                        + " rule are failures.")
        boolean unusableAnswers) {

    /** The defaults of the configuration. */
    public static final BreakerSettings DEFAULTS = new BreakerSettings(
            true,
            50,
            100,
            20,
            Duration.ofSeconds(5),
            Duration.ofMinutes(1),
            5,
            List.of(StatusPattern.parse("5xx")),
            false);

    public BreakerSettings {
        failureStatuses = List.copyOf(failureStatuses);
        SettingsValidator validator = new SettingsValidator()
                .checkRange("failure-percent", failurePercent, 1, 100)
                .checkRange("window-size", windowSize, 1, 100_000)
                .checkRange("minimum-calls", minimumCalls, 1, 100_000)
                .check(minimumCalls <= windowSize, "minimum-calls", "must not be above window-size: " + minimumCalls)
                .check(
                        openDuration.toMillis() >= 10,
                        "open-duration",
                        "must be at least 10ms: " + DurationText.format(openDuration))
                .check(
                        maxOpenDuration.compareTo(openDuration) >= 0,
                        "max-open-duration",
                        "must not be below open-duration")
                .checkRange("half-open-calls", halfOpenCalls, 1, 10_000);
        validator.checkEach(
                "failure-statuses",
                failureStatuses,
                (key, statuses) -> validator.check(
                        statuses.first() >= 300, key, "must be a status from 300 to 599, or its class: " + statuses));
        validator.throwIfInvalid();
    }

    /** Returns a copy with the breaker disabled. */
    BreakerSettings disabled() {
        return new BreakerSettings(
                false,
                failurePercent,
                windowSize,
                minimumCalls,
                openDuration,
                maxOpenDuration,
                halfOpenCalls,
                failureStatuses,
                unusableAnswers);
    }
}
