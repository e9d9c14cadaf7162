package io.iocluster.node.config;

import io.iocluster.settings.DurationText;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.time.Duration;

/** What the node makes of its own figures: advice, or steps that it takes itself. */
public record TuningSettings(
        @Setting(
                value = "advise",
                doc = "`advise`: the node says what would help; `auto`: it raises `workers.max-in-flight` and"
                        + " `workers.threads` itself, within the limits below; `off`: it looks at nothing.")
        Mode mode,

        @Setting(value = "2000", doc = "The most calls open at once that it advises or sets.")
        int maxInFlight,

        @Setting(value = "0", doc = "The most event loops that it advises or sets; 0: one for each core.")
        int maxThreads,

        @Setting(
                value = "80",
                doc = "Percent of the cores the process may use, beyond which it counts as full: more nodes help then,"
                        + " and no step is taken.")
        int cpuCeiling,

        @Setting(
                value = "1s",
                doc = "How much work may wait, lag divided by calls a second, before anything is advised.")
        Duration toleratedLag,

        @Setting(value = "30s", doc = "How soon a larger backlog should be worked off; what is advised is for that.")
        Duration catchUp,

        @Setting(
                value = "6s",
                doc = "How long the figures are watched before a verdict, and after each step before the next. At"
                        + " least two of the transport's `lag-interval`.")
        Duration window) {

    private static final Duration LEAST = Duration.ofSeconds(1);
    private static final Duration MOST = Duration.ofHours(1);
    private static final Duration LEAST_WINDOW = Duration.ofSeconds(3);
    private static final Duration MOST_WINDOW = Duration.ofMinutes(5);

    /** What holds where the configuration says nothing. */
    public static final TuningSettings DEFAULTS = new TuningSettings(
            Mode.ADVISE, 2_000, 0, 80, Duration.ofSeconds(1), Duration.ofSeconds(30), Duration.ofSeconds(6));

    /** Who acts. */
    public enum Mode {
        OFF,
        ADVISE,
        AUTO
    }

    public TuningSettings {
        SettingsValidator mistakes = new SettingsValidator()
                .checkRange("max-in-flight", maxInFlight, 1, 1_000_000)
                .checkRange("max-threads", maxThreads, 0, 1_024)
                .checkRange("cpu-ceiling", cpuCeiling, 1, 100);
        between(mistakes, "tolerated-lag", toleratedLag, Duration.ofMillis(1), MOST);
        between(mistakes, "catch-up", catchUp, LEAST, MOST);
        between(mistakes, "window", window, LEAST_WINDOW, MOST_WINDOW);
        mistakes.throwIfInvalid();
    }

    private static void between(SettingsValidator mistakes, String key, Duration value, Duration least, Duration most) {
        mistakes.check(
                value.compareTo(least) >= 0 && value.compareTo(most) <= 0,
                key,
                "must be from " + DurationText.format(least) + " to " + DurationText.format(most) + ": "
                        + DurationText.format(value));
    }

    /** The ceiling as a part of one. */
    public double cpuCeilingRatio() {
        return cpuCeiling / 100.0;
    }

    /** How many event loops that is on this machine. */
    public int effectiveMaxThreads() {
        return maxThreads == 0 ? Runtime.getRuntime().availableProcessors() : maxThreads;
    }
}
