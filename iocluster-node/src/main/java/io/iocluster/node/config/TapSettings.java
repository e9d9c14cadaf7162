package io.iocluster.node.config;

import io.iocluster.settings.DurationText;
import io.iocluster.settings.Rate;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.time.Duration;
import java.util.List;

/** Limits of the live samples of calls. Immutable. */
public record TapSettings(
        @Setting(value = "4", doc = "Taps that are open at the same time. 0: `/api/tap` is switched off.")
        int maxTaps,

        @Setting(value = "100/s", doc = "Maximum rate of the calls that one tap shows.")
        Rate maxRate,

        @Setting(
                value = "1000",
                doc = "Calls that wait until the reader of a tap takes them; further ones are dropped.")
        int buffer,

        @Setting(value = "1h", doc = "A tap ends after this time.")
        Duration maxDuration,

        @Setting(
                value = "[]",
                doc = "Names of query parameters whose values a tap shows. The values of all others are `***`.")
        List<String> shownQueryValues) {

    public static final TapSettings DEFAULTS =
            new TapSettings(4, new Rate(100, Duration.ofSeconds(1)), 1_000, Duration.ofHours(1), List.of());

    public TapSettings {
        shownQueryValues = List.copyOf(shownQueryValues);
        new SettingsValidator()
                .checkRange("max-taps", maxTaps, 0, 100)
                .check(!maxRate.isUnlimited(), "max-rate", "must not be unlimited")
                .checkRange("buffer", buffer, 1, 100_000)
                .checkPositive("max-duration", maxDuration)
                .check(
                        maxDuration.compareTo(Duration.ofDays(1)) <= 0,
                        "max-duration",
                        "must be at most 1d: " + DurationText.format(maxDuration))
                .throwIfInvalid();
    }
}
