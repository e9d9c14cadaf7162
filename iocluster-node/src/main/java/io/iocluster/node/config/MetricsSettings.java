package io.iocluster.node.config;

import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;

/** Settings of the metrics. */
public record MetricsSettings(
        @Setting(
                value = "100",
                doc = "Maximum number of destinations without an entry in `destinations` that get their own value of"
                        + " the label `destination`. The busiest get one; the rest are counted together as `other`.")
        int maxDestinations,

        @Setting(
                value = "200",
                doc =
                        "Maximum number of upstreams of all destinations that get their own value of the label `upstream`."
                                + " The others of a destination are counted together as `other`.")
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
