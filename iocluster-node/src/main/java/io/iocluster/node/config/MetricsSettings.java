package io.iocluster.node.config;

import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;

/** What is counted, and who is told. */
public record MetricsSettings(
        @Setting(
                value = "100",
                doc = "Most destinations, the busiest, that the label `destination` names besides the configured ones;"
                        + " the others are counted together as `other`.")
        int maxDestinations,

        @Setting(doc = "Whether metrics are sent to a collector too.")
        OtlpMetricsSettings otlp) {

    public MetricsSettings {
        new SettingsValidator()
                .checkRange("max-destinations", maxDestinations, 0, 10_000)
                .throwIfInvalid();
    }
}
