package io.iocluster.destination;

import io.iocluster.settings.Mistakes;
import io.iocluster.settings.Setting;

/** Whether a destination's calls in flight follow what it can take. */
public record AdaptiveSettings(
        @Setting(
                value = "false",
                doc = "Whether the limit of calls in flight grows while the target's latency holds, and shrinks when"
                        + " it grows and at each timeout, 429 or 503. It never exceeds the other limits.")
        boolean enabled,

        @Setting(value = "20", doc = "Where the limit begins.")
        int initial,

        @Setting(value = "1", doc = "The limit never falls below this.")
        int least) {

    /** What holds where the configuration says nothing. */
    public static final AdaptiveSettings DEFAULTS = new AdaptiveSettings(false, 20, 1);

    public AdaptiveSettings {
        new Mistakes()
                .between("initial", initial, 1, 1_000_000)
                .between("least", least, 1, 1_000_000)
                .check(least <= initial, "least", "must not be above initial: " + least)
                .raise();
    }

    /** Returns the same settings without an adaptive limit. */
    AdaptiveSettings disabled() {
        return new AdaptiveSettings(false, initial, least);
    }
}
