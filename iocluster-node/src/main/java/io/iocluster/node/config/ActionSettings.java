package io.iocluster.node.config;

import io.iocluster.settings.DurationText;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.time.Duration;

/** Durations of the temporary actions of operators. */
public record ActionSettings(
        @Setting(value = "15m", live = true, doc = "Default duration of such an action.")
        Duration duration,

        @Setting(value = "1d", live = true, doc = "Maximum duration of such an action.")
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
