package io.iocluster.destination.policy;

import io.iocluster.settings.DurationText;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.time.Duration;

/** When calls to a destination that keeps failing are held back, and how it is tried again. */
public record BreakerSettings(
        @Setting(value = "true", doc = "Whether there is one.")
        boolean enabled,

        @Setting(
                value = "50",
                doc = "It opens when so many percent of the last calls failed: by an error of the network, a timeout"
                        + " or a 5xx. A 4xx never counts as a failure.")
        int failurePercent,

        @Setting(value = "100", doc = "How many of the last calls are looked at.")
        int windowSize,

        @Setting(value = "20", doc = "It never opens before so many calls were made.")
        int minimumCalls,

        @Setting(
                value = "5s",
                doc = "How long it stays open before a few calls are let through as probes; doubles each time that"
                        + " they fail.")
        Duration openDuration,

        @Setting(value = "1m", doc = "It never stays open for longer without probes.")
        Duration maxOpenDuration,

        @Setting(value = "5", doc = "How many probes there are. Their results close it or open it again.")
        int halfOpenCalls) {

    /** What holds where the configuration says nothing. */
    public static final BreakerSettings DEFAULTS =
            new BreakerSettings(true, 50, 100, 20, Duration.ofSeconds(5), Duration.ofMinutes(1), 5);

    public BreakerSettings {
        new SettingsValidator()
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
                .checkRange("half-open-calls", halfOpenCalls, 1, 10_000)
                .throwIfInvalid();
    }

    /** Returns the same settings without a breaker. */
    BreakerSettings disabled() {
        return new BreakerSettings(
                false, failurePercent, windowSize, minimumCalls, openDuration, maxOpenDuration, halfOpenCalls);
    }
}
