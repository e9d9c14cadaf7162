package io.iocluster.node.config;

import io.iocluster.settings.DurationText;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.time.Duration;
import java.util.Map;

/** Whether metrics are sent to a collector too, and where. */
public record OtlpMetricsSettings(
        @Setting(
                value = "false",
                doc = "Whether metrics are sent to a collector of OpenTelemetry, besides being there for Prometheus.")
        boolean enabled,

        @Setting(
                value = "http://127.0.0.1:4318/v1/metrics",
                doc = "Where they are sent to, by OTLP over HTTP; the whole URL, path included.")
        String url,

        @Setting(value = "1m", doc = "How often, from 1s to 1h.")
        Duration step,

        @Setting(value = "5s", doc = "How long connecting to it, and its answer, may take.")
        Duration timeout,

        @Setting(secret = true, doc = "Headers of each request to it, such as `Authorization`.")
        Map<String, String> headers,

        @Setting(
                doc =
                        "What is said of the node besides `service.name` (iocluster), `service.instance.id` (the node's id)"
                                + " and `service.version`, or in their place.")
        Map<String, String> resourceAttributes) {

    private static final Duration LEAST = Duration.ofSeconds(1);
    private static final Duration MOST = Duration.ofHours(1);

    /** What holds where the configuration says nothing. */
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
                        step.compareTo(LEAST) >= 0 && step.compareTo(MOST) <= 0,
                        "step",
                        "must be from 1s to 1h: " + DurationText.format(step))
                .checkPositive("timeout", timeout)
                .throwIfInvalid();
    }

    /** Everything but the headers. */
    @Override
    public String toString() {
        return "OtlpMetricsSettings[" + (enabled ? url : "off") + "]";
    }
}
