package io.iocluster.node.config;

import io.iocluster.settings.Setting;

/** What is logged, and how. */
public record LoggingSettings(
        @Setting(value = "info", live = true, doc = "The least severity that is logged.")
        Level level,

        @Setting(value = "text", doc = "Lines for people, or one JSON object a line.")
        Format format) {

    /** Severities, the worst first. */
    public enum Level {
        ERROR,
        WARN,
        INFO,
        DEBUG,
        TRACE
    }

    /** How a line looks. */
    public enum Format {
        TEXT,
        JSON
    }
}
