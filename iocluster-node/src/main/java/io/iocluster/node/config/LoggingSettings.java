package io.iocluster.node.config;

import io.iocluster.settings.Setting;

/** Settings of the log. */
public record LoggingSettings(
        @Setting(value = "info", live = true, doc = "Lowest severity to log.")
        Level level,

        @Setting(
                value = "text",
                doc = "Format of the log: plain text, or one"
                        + " [JSON object](operations/health-and-metrics.md#the-json-log) for each line.")
        Format format) {

    /** Severities, highest first. */
    public enum Level {
        ERROR,
        WARN,
        INFO,
        DEBUG,
        TRACE
    }

    /** The format of a log line. */
    public enum Format {
        TEXT,
        JSON
    }
}
