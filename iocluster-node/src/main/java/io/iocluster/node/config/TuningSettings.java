package io.iocluster.node.config;

import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.time.Duration;

/** Settings of the advisor. */
public record TuningSettings(
        @Setting(
                value = "advise",
                doc = "`advise`: the advisor recommends changes. `auto`: it changes `workers.max-in-flight` and"
                        + " `workers.threads` itself. `off`: there is no advisor.")
        Mode mode,

        @Setting(value = "2000", doc = "Highest `workers.max-in-flight` that the advisor recommends or sets.")
        int maxInFlight,

        @Setting(
                value = "0",
                doc = "Highest `workers.threads` that the advisor recommends or sets. 0: one for each core.")
        int maxThreads,

        @Setting(
                value = "80",
                doc = "CPU use of the machine or container, in percent, above which the advisor recommends more nodes"
                        + " and takes no step.")
        int cpuCeiling,

        @Setting(
                value = "1s",
                doc = "Lag divided by calls per second, above which the advisor recommends or takes a step.")
        Duration toleratedLag,

        @Setting(value = "30s", doc = "Time within which the advisor wants a larger backlog to be worked off.")
        Duration catchUp,

        @Setting(
                value = "6s",
                doc = "How long the advisor observes before a decision, and between two steps. At least twice the"
                        + " transport's `lag-interval`.")
        Duration window) {

    private static final Duration MIN_CATCH_UP = Duration.ofSeconds(1);
    private static final Duration MAX_DURATION = Duration.ofHours(1);
    private static final Duration MIN_WINDOW = Duration.ofSeconds(3);
    private static final Duration MAX_WINDOW = Duration.ofMinutes(5);

    /** The defaults. */
    public static final TuningSettings DEFAULTS = new TuningSettings(
            Mode.ADVISE, 2_000, 0, 80, Duration.ofSeconds(1), Duration.ofSeconds(30), Duration.ofSeconds(6));

    /** What the advisor does with its findings. */
    public enum Mode {
        OFF,
        ADVISE,
        AUTO
    }

    public TuningSettings {
        new SettingsValidator()
                .checkRange("max-in-flight", maxInFlight, 1, 1_000_000)
                .checkRange("max-threads", maxThreads, 0, 1_024)
                .checkRange("cpu-ceiling", cpuCeiling, 1, 100)
                .checkRange("tolerated-lag", toleratedLag, Duration.ofMillis(1), MAX_DURATION)
                .checkRange("catch-up", catchUp, MIN_CATCH_UP, MAX_DURATION)
                .checkRange("window", window, MIN_WINDOW, MAX_WINDOW)
                .throwIfInvalid();
    }

    /** Returns the CPU ceiling as a ratio, from 0 to 1. */
    public double cpuCeilingRatio() {
        return cpuCeiling / 100.0;
    }

    /** Returns the maximum number of event loops, with 0 resolved to the number of cores. */
    public int effectiveMaxThreads() {
        return maxThreads == 0 ? Runtime.getRuntime().availableProcessors() : maxThreads;
    }
}
