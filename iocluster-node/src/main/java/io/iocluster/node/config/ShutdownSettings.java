package io.iocluster.node.config;

import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.time.Duration;

/** How a node ends. */
public record ShutdownSettings(
        @Setting(
                value = "30s",
                doc = "How long calls in flight may take to finish after SIGTERM; what is open then goes back to"
                        + " the queue.")
        Duration drainTimeout) {

    public ShutdownSettings {
        new SettingsValidator().checkNotNegative("drain-timeout", drainTimeout).throwIfInvalid();
    }
}
