package io.iocluster.hedge;

import io.iocluster.settings.DurationText;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.time.Duration;

/** Says when calls to a destination get a second attempt while the first one runs. Immutable. */
public record HedgeSettings(
        @Setting(
                value = "off",
                doc = "How long the first attempt runs before a second one starts: a duration such as `200ms`, or a"
                        + " percentile of the destination's latency from `p50` to `p99`.")
        HedgeDelay after,

        @Setting(
                value = "5",
                doc = "Second attempts in percent of the calls to the destination in the last ten seconds. One in ten"
                        + " seconds is always allowed.")
        int budgetPercent,

        @Setting(value = "5ms", doc = "The shortest delay if `after` is a percentile.")
        Duration minDelay) {

    /** The defaults of the configuration: no second attempts. */
    public static final HedgeSettings DEFAULTS = new HedgeSettings(HedgeDelay.OFF, 5, Duration.ofMillis(5));

    public HedgeSettings {
        new SettingsValidator()
                .check(after.fixed().toDays() < 1, "after", "must be below 1d: " + DurationText.format(after.fixed()))
                .checkRange("budget-percent", budgetPercent, 1, 100)
                .checkPositive("min-delay", minDelay)
                .check(minDelay.toDays() < 1, "min-delay", "must be below 1d: " + DurationText.format(minDelay))
                .throwIfInvalid();
    }

    /** Returns whether calls may get a second attempt. */
    public boolean isEnabled() {
        return !after.isOff();
    }
}
