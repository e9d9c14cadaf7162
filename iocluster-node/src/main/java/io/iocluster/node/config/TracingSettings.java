package io.iocluster.node.config;

import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.time.Duration;
import java.util.Map;

/** Settings of tracing. */
public record TracingSettings(
        @Setting(
                value = "false",
                doc = "Whether the node records spans for messages, attempts and answers. Otherwise it only passes on"
                        + " the `traceparent`.")
        boolean enabled,

        @Setting(
                value = "http://127.0.0.1:4318/v1/traces",
                doc = "Full URL of the collector, with the path. The protocol is OTLP over HTTP.")
        String url,

        @Setting(secret = true, doc = "Headers of each request to the collector, such as `Authorization`.")
        Map<String, String> headers,

        @Setting(
                value = "1",
                doc = "Fraction of the traces that start in this node that are recorded, from 0 to 1. For others, the"
                        + " sampled flag of the incoming `traceparent` decides.")
        double sampleRatio,

        @Setting(value = "false", doc = "Whether spans include the query of a URL, which may contain secrets.")
        boolean recordUrlQuery,

        @Setting(
                value = "2048",
                doc = "Maximum number of spans that wait for export. Further spans are dropped and counted.")
        int maxQueueSize,

        @Setting(value = "512", doc = "Maximum number of spans in one request to the collector.")
        int maxBatchSize,

        @Setting(value = "5s", doc = "Maximum time that a span waits for its batch to fill.")
        Duration exportInterval,

        @Setting(value = "10s", doc = "Maximum time of one request to the collector.")
        Duration timeout,

        @Setting(value = "5s", doc = "How long the shutdown waits for the export of the last spans.")
        Duration flushTimeout,

        @Setting(
                doc = "Resource attributes that add to or replace `service.name` (iocluster), `service.instance.id`"
                        + " (the node's id) and `service.version`.")
        Map<String, String> resourceAttributes) {

    public TracingSettings {
        headers = Map.copyOf(headers);
        resourceAttributes = Map.copyOf(resourceAttributes);
        new SettingsValidator()
                .checkParses("url", url, CollectorUrl::check)
                .check(sampleRatio >= 0 && sampleRatio <= 1, "sample-ratio", "must be from 0 to 1: " + sampleRatio)
                .checkRange("max-queue-size", maxQueueSize, 1, 1_000_000)
                .checkRange("max-batch-size", maxBatchSize, 1, 100_000)
                .check(
                        maxBatchSize <= maxQueueSize,
                        "max-batch-size",
                        "must not be above max-queue-size: " + maxBatchSize)
                .checkPositive("export-interval", exportInterval)
                .checkPositive("timeout", timeout)
                .checkNotNegative("flush-timeout", flushTimeout)
                .throwIfInvalid();
    }

    /** Returns the settings without the headers. */
    @Override
    public String toString() {
        return "TracingSettings[" + (enabled ? url : "off") + "]";
    }
}
