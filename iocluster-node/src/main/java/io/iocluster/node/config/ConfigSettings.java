package io.iocluster.node.config;

import io.iocluster.settings.DurationText;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.time.Duration;

/** Settings of the configuration's sources and of how a running node follows them. */
public record ConfigSettings(
        @Setting(
                value = "500ms",
                live = true,
                doc = "How often the node checks this file and the files that it names. 0s: only at a restart or when"
                        + " the value in Consul changes.")
        Duration pollInterval,

        @Setting(doc = "Consul: see [Consul](operations/consul.md#configuration-in-consul).")
        ConsulSettings consul) {

    private static final Duration MIN_POLL_INTERVAL = Duration.ofMillis(50);
    private static final Duration MAX_POLL_INTERVAL = Duration.ofHours(1);

    public ConfigSettings {
        new SettingsValidator()
                .check(
                        pollInterval.isZero()
                                || (pollInterval.compareTo(MIN_POLL_INTERVAL) >= 0
                                        && pollInterval.compareTo(MAX_POLL_INTERVAL) <= 0),
                        "poll-interval",
                        "must be from 50ms to 1h, or 0s: " + DurationText.format(pollInterval))
                .throwIfInvalid();
    }
}
