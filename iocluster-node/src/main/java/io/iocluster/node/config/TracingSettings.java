package io.iocluster.node.config;

import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.time.Duration;
import java.util.Map;

/** Whether calls are traced, and where their spans go. */
public record TracingSettings(
        @Setting(
                value = "false",
                doc =
                        "Whether spans are made of messages, attempts and answers. Without, a message's `traceparent` goes on"
                                + " into the call and the answer as it is.")
        boolean enabled,

        @Setting(
                value = "http://127.0.0.1:4318/v1/traces",
                doc = "Where spans are sent to, by OTLP over HTTP; the whole URL, path included.")
        String url,

        @Setting(secret = true, doc = "Headers of each request to it, such as `Authorization`.")
        Map<String, String> headers,

        @Setting(
                value = "1",
                doc =
                        "The part, from 0 to 1, of the traces that begin here which are recorded. Whether one is that began"
                                + " elsewhere says its `traceparent`.")
        double sampleRatio,

        @Setting(value = "false", doc = "Whether spans have the query of a URL too, which may hold secrets.")
        boolean recordUrlQuery,

        @Setting(value = "2048", doc = "Most spans that wait to be sent; the others are dropped and counted.")
        int maxQueueSize,

        @Setting(value = "512", doc = "Most spans of one request to the collector.")
        int maxBatchSize,

        @Setting(value = "5s", doc = "How long a span waits for others at most.")
        Duration exportInterval,

        @Setting(value = "10s", doc = "How long one request to the collector may take.")
        Duration timeout,

        @Setting(value = "5s", doc = "How long the node's end waits for the last spans to be sent.")
        Duration flushTimeout,

        @Setting(
                doc =
                        "What is said of the node besides `service.name` (iocluster), `service.instance.id` (the node's id)"
                                + " and `service.version`, or in their place.")
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

    /** Everything but the headers. */
    @Override
    public String toString() {
        return "TracingSettings[" + (enabled ? url : "off") + "]";
    }
}
