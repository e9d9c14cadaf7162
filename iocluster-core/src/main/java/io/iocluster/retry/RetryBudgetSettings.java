package io.iocluster.retry;

import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;

/** How much of a destination's traffic may be attempts made again, whatever goes wrong there. */
public record RetryBudgetSettings(
        @Setting(value = "10", doc = "Most attempts made again at a destination, in percent of the calls to it.")
        int percent,

        @Setting(
                value = "3",
                doc = "So many a second are allowed in any case, for destinations that are called rarely.")
        int minPerSecond) {

    /** What holds where the configuration says nothing. */
    public static final RetryBudgetSettings DEFAULTS = new RetryBudgetSettings(10, 3);

    public RetryBudgetSettings {
        new SettingsValidator()
                .checkRange("percent", percent, 0, 1_000)
                .checkRange("min-per-second", minPerSecond, 0, 1_000_000)
                .throwIfInvalid();
    }
}
