package io.iocluster.node.config;

import io.iocluster.settings.DurationText;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.time.Duration;
import java.util.Map;

/** Settings of the metrics export to an OpenTelemetry collector. */
public record OtlpMetricsSettings(
        @Setting(value = "false", doc = "Whether the node also sends its metrics to an OpenTelemetry collector.")
        boolean enabled,

        @Setting(
                value = "http://127.0.0.1:4318/v1/metrics",
                doc = "Full URL of the collector, with the path. The protocol is OTLP over HTTP.")
        String url,

        @Setting(value = "1m", doc = "Export interval, from 1s to 1h.")
        Duration step,

        @Setting(value = "5s", doc = "Maximum time to connect to the collector, and for the collector to answer.")
        Duration timeout,

        @Setting(secret = true, doc = "Headers of each request to the collector, such as `Authorization`.")
        Map<String, String> headers,

        @Setting(
                doc = "Resource attributes that add to or replace `service.name` (iocluster), `service.instance.id`"
                        + " (the node's id) and `service.version`.")
        Map<String, String> resourceAttributes) {

    private static final Duration MIN_STEP = Duration.ofSeconds(1);
    private static final Duration MAX_STEP = Duration.ofHours(1);

    /** The defaults. */
    public static final OtlpMetricsSettings DEFAULTS = new OtlpMetricsSettings(
            false,
            "http://127.0.0.1:4318/v1/metrics",
            Duration.ofMinutes(1),
            Duration.ofSeconds(5),
            Map.of(),
            Map.of());

    public OtlpMetricsSettings {
        headers = Map.copyOf(headers);
        resourceAttributes = Map.copyOf(resourceAttributes);
        new SettingsValidator()
                .checkParses("url", url, CollectorUrl::check)
                .check(
                        step.compareTo(MIN_STEP) >= 0 && step.compareTo(MAX_STEP) <= 0,
                        "step",
                        "must be from 1s to 1h: " + DurationText.format(step))
                .checkPositive("timeout", timeout)
                .throwIfInvalid();
    }

    /** Returns the settings without the headers. */
    @Override
    public String toString() {
        return "OtlpMetricsSettings[" + (enabled ? url : "off") + "]";
    }
}
