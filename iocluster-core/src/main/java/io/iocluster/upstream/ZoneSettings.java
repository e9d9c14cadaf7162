package io.iocluster.upstream;

import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;

/** Configures whether a node prefers the upstreams of its zone. Immutable. */
public record ZoneSettings(
        @Setting(
                value = "\"\"",
                doc = "Zone of the node, such as `${ZONE}`, whose upstreams it calls while enough of them get"
                        + " calls. Empty: all zones are equal.")
        String name,

        @Setting(
                value = "50",
                doc = "Percentage of the zone's upstreams that must get calls. Below it, the node calls those of"
                        + " all zones.")
        int minPercent) {

    /** The defaults of the configuration: all zones are equal. */
    public static final ZoneSettings DEFAULTS = new ZoneSettings("", 50);

    public ZoneSettings {
        new SettingsValidator()
                .check(name.matches("[\\w.-]{0,100}"), "name", "must be letters, digits and any of . _ -: " + name)
                .checkRange("min-percent", minPercent, 1, 100)
                .throwIfInvalid();
    }

    /** Returns whether enough upstreams of the node's zone get calls. */
    boolean isEnough(int active, int all) {
        return active > 0 && active * 100L >= (long) minPercent * all;
    }
}
