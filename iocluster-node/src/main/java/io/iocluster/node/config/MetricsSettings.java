package io.iocluster.node.config;

import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;

/** Settings of the metrics. */
public record MetricsSettings(
        @Setting(
                value = "100",
                doc = "Destinations without an entry in `destinations` that get a value of the label `destination`:"
                        + " the busiest. The rest are counted as `other`.")
        int maxDestinations,

        @Setting(
                value = "200",
                doc = "Upstreams of all destinations that get a value of the label `upstream`. The others are"
                        + " counted as `other`.")
        int maxUpstreams,

        @Setting(doc = "Export of the metrics to an OpenTelemetry collector.")
        OtlpMetricsSettings otlp) {

    public MetricsSettings {
        new SettingsValidator()
                .checkRange("max-destinations", maxDestinations, 0, 10_000)
                .checkRange("max-upstreams", maxUpstreams, 0, 10_000)
                .throwIfInvalid();
    }
}
