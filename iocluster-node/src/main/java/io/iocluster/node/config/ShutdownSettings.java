package io.iocluster.node.config;

import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.time.Duration;

/** Settings of the shutdown. */
public record ShutdownSettings(
        @Setting(
                value = "30s",
                doc = "How long the node waits for calls in flight after SIGTERM. Calls that are still open then go"
                        + " back to the queue.")
        Duration drainTimeout) {

    public ShutdownSettings {
        new SettingsValidator().checkNotNegative("drain-timeout", drainTimeout).throwIfInvalid();
    }
}
