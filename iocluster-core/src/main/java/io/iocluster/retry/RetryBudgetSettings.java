package io.iocluster.retry;

import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;

/** Limits the retries at one destination. */
public record RetryBudgetSettings(
        @Setting(value = "10", doc = "Retries at a destination, in percent of the calls to it.")
        int percent,

        @Setting(value = "3", doc = "Retries a second that are always allowed, for destinations with few calls.")
        int minPerSecond) {

    /** Values for keys that are not configured. */
    public static final RetryBudgetSettings DEFAULTS = new RetryBudgetSettings(10, 3);

    public RetryBudgetSettings {
        new SettingsValidator()
                .checkRange("percent", percent, 0, 1_000)
                .checkRange("min-per-second", minPerSecond, 0, 1_000_000)
                .throwIfInvalid();
    }
}
