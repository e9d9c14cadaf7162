package io.iocluster.upstream;

import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.time.Duration;

/** Configures when an upstream that fails is ejected. Immutable. */
public record EjectionSettings(
        @Setting(
                value = "5",
                doc = "Failed attempts in a row (timeouts, network errors, 5xx) after which an upstream is ejected."
                        + " 0: no such rule.")
        int consecutiveFailures,

        @Setting(
                value = "50",
                doc = "Percentage of failed attempts within `interval` at which an upstream is ejected. 0: no such"
                        + " rule.")
        int failurePercent,

        @Setting(value = "20", doc = "Minimum attempts within `interval` to apply `failure-percent`.")
        int minAttempts,

        @Setting(value = "10s", doc = "Period that `failure-percent` applies to.")
        Duration interval,

        @Setting(
                value = "30s",
                doc = "How long an upstream is ejected. The time doubles, up to `max-time`, if it fails again soon.")
        Duration time,

        @Setting(value = "5m", doc = "Longest ejection.") Duration maxTime,

        @Setting(
                value = "50",
                doc = "Percentage of a destination's upstreams that may be ejected at the same time, rounded down;"
                        + " never the last one.")
        int maxPercent) {

    private static final Duration MAX_PERIOD = Duration.ofDays(1);

    /** The defaults of the configuration. */
    public static final EjectionSettings DEFAULTS =
            new EjectionSettings(5, 50, 20, Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofMinutes(5), 50);

    public EjectionSettings {
        new SettingsValidator()
                .checkRange("consecutive-failures", consecutiveFailures, 0, 100_000)
                .checkRange("failure-percent", failurePercent, 0, 100)
                .checkRange("min-attempts", minAttempts, 1, 1_000_000)
                .checkRange("interval", interval, Duration.ofMillis(1), MAX_PERIOD)
                .checkPositive("time", time)
                .check(maxTime.compareTo(time) >= 0, "max-time", "must not be below time")
                .check(maxTime.compareTo(MAX_PERIOD) <= 0, "max-time", "must be at most 1d")
                .checkRange("max-percent", maxPercent, 0, 100)
                .throwIfInvalid();
    }

    /** Returns how many of these upstreams may be ejected at the same time. */
    int maxEjected(int upstreams) {
        return Math.max(0, Math.min(upstreams - 1, (int) ((long) upstreams * maxPercent / 100)));
    }

    /** Returns the duration of the n-th ejection in a row, from 1 on. */
    long ejectionNanos(int inARow) {
        long nanos = time.toNanos();
        for (int i = 1; i < inARow && nanos < maxTime.toNanos(); i++) {
            nanos *= 2;
        }
        return Math.min(nanos, maxTime.toNanos());
    }
}
