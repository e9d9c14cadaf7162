package io.iocluster.node.config;

import io.iocluster.settings.DurationText;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.time.Duration;

/** Where a node's configuration comes from besides its file, and how it follows both while it runs. */
public record ConfigSettings(
        @Setting(
                value = "500ms",
                live = true,
                doc = "How often a node looks whether this file, or one that it names, holds something else; 0s: only"
                        + " when Consul has something new, and else not until the next start.")
        Duration pollInterval,

        @Setting(doc = "The node in Consul: see [operations](operations/consul.md#configuration-in-consul).")
        ConsulSettings consul) {

    private static final Duration LEAST = Duration.ofMillis(50);
    private static final Duration MOST = Duration.ofHours(1);

    public ConfigSettings {
        new SettingsValidator()
                .check(
                        pollInterval.isZero()
                                || (pollInterval.compareTo(LEAST) >= 0 && pollInterval.compareTo(MOST) <= 0),
                        "poll-interval",
                        "must be from 50ms to 1h, or 0s: " + DurationText.format(pollInterval))
                .throwIfInvalid();
    }
}
