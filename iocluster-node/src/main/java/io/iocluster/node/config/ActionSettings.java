package io.iocluster.node.config;

import io.iocluster.settings.DurationText;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.time.Duration;

/** How long the actions of operators hold that end by themselves. */
public record ActionSettings(
        @Setting(
                value = "15m",
                live = true,
                doc = "How long such an action holds if the operator does not say how long.")
        Duration duration,

        @Setting(value = "1d", live = true, doc = "Longest duration that an operator may ask for.")
        Duration maxDuration) {

    /** Shortest duration of an action. */
    public static final Duration MIN_DURATION = Duration.ofSeconds(1);

    private static final Duration LONGEST = Duration.ofDays(365);

    public ActionSettings {
        new SettingsValidator()
                .check(
                        isBetween(maxDuration, MIN_DURATION, LONGEST),
                        "max-duration",
                        "must be from 1s to 365d: " + DurationText.format(maxDuration))
                .check(
                        isBetween(duration, MIN_DURATION, maxDuration),
                        "duration",
                        "must be from 1s to max-duration: " + DurationText.format(duration))
                .throwIfInvalid();
    }

    private static boolean isBetween(Duration value, Duration min, Duration max) {
        return value.compareTo(min) >= 0 && value.compareTo(max) <= 0;
    }
}
