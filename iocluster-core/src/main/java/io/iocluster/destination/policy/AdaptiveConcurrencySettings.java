package io.iocluster.destination.policy;

import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;

/** Whether a destination's calls in flight follow what it can take. */
public record AdaptiveConcurrencySettings(
        @Setting(
                value = "false",
                doc = "Whether the limit of calls in flight grows while the target's latency holds, and shrinks when"
                        + " it grows and at each timeout, 429 or 503. It never exceeds the other limits.")
        boolean enabled,

        @Setting(value = "20", doc = "Where the limit begins.")
        int initialLimit,

        @Setting(value = "1", doc = "The limit never falls below this.")
        int minLimit) {

    /** What holds where the configuration says nothing. */
    public static final AdaptiveConcurrencySettings DEFAULTS = new AdaptiveConcurrencySettings(false, 20, 1);

    public AdaptiveConcurrencySettings {
        new SettingsValidator()
                .checkRange("initial-limit", initialLimit, 1, 1_000_000)
                .checkRange("min-limit", minLimit, 1, 1_000_000)
                .check(minLimit <= initialLimit, "min-limit", "must not be above initial-limit: " + minLimit)
                .throwIfInvalid();
    }

    /** Returns the same settings without an adaptive limit. */
    AdaptiveConcurrencySettings disabled() {
        return new AdaptiveConcurrencySettings(false, initialLimit, minLimit);
    }
}
