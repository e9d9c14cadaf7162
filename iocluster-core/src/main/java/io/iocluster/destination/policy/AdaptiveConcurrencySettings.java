package io.iocluster.destination.policy;

import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;

/** Settings of the adaptive limit of a destination's calls in flight. Immutable. */
public record AdaptiveConcurrencySettings(
        @Setting(
                value = "false",
                doc = "Whether the node adapts the limit of calls in flight within the other limits. It grows while"
                        + " the target's latency is stable, and shrinks when the latency rises and at each timeout,"
                        + " 429 or 503.")
        boolean enabled,

        @Setting(value = "20", doc = "Initial limit of calls in flight.")
        int initialLimit,

        @Setting(value = "1", doc = "Lower bound of the limit.")
        int minLimit) {

    /** The defaults of the configuration. */
    public static final AdaptiveConcurrencySettings DEFAULTS = new AdaptiveConcurrencySettings(false, 20, 1);

    public AdaptiveConcurrencySettings {
        new SettingsValidator()
                .checkRange("initial-limit", initialLimit, 1, 1_000_000)
                .checkRange("min-limit", minLimit, 1, 1_000_000)
                .check(minLimit <= initialLimit, "min-limit", "must not be above initial-limit: " + minLimit)
                .throwIfInvalid();
    }

    /** Returns a copy with the adaptive limit disabled. */
    AdaptiveConcurrencySettings disabled() {
        return new AdaptiveConcurrencySettings(false, initialLimit, minLimit);
    }
}
