package io.iocluster.destination;

import io.iocluster.settings.DurationText;
import io.iocluster.settings.Mistakes;
import io.iocluster.settings.Setting;
import java.time.Duration;

/** When calls to a destination that keeps failing are held back, and how it is tried again. */
public record BreakerSettings(
        @Setting(value = "true", doc = "Whether there is one.")
        boolean enabled,

        @Setting(
                value = "50",
                doc = "It opens when so many percent of the last calls failed: by an error of the network, a timeout"
                        + " or a 5xx. A 4xx never counts as a failure.")
        int failurePercent,

        @Setting(value = "100", doc = "How many of the last calls are looked at.")
        int calls,

        @Setting(value = "20", doc = "It never opens before so many calls were made.")
        int minimumCalls,

        @Setting(
                value = "5s",
                doc = "How long it stays open before a few calls are let through as probes; doubles each time that"
                        + " they fail.")
        Duration open,

        @Setting(value = "1m", doc = "It never stays open for longer without probes.")
        Duration maxOpen,

        @Setting(value = "5", doc = "How many probes there are. Their results close it or open it again.")
        int probes) {

    /** What holds where the configuration says nothing. */
    public static final BreakerSettings DEFAULTS =
            new BreakerSettings(true, 50, 100, 20, Duration.ofSeconds(5), Duration.ofMinutes(1), 5);

    public BreakerSettings {
        new Mistakes()
                .between("failure-percent", failurePercent, 1, 100)
                .between("calls", calls, 1, 100_000)
                .between("minimum-calls", minimumCalls, 1, 100_000)
                .check(minimumCalls <= calls, "minimum-calls", "must not be above calls: " + minimumCalls)
                .check(open.toMillis() >= 10, "open", "must be at least 10ms: " + DurationText.format(open))
                .check(maxOpen.compareTo(open) >= 0, "max-open", "must not be below open")
                .between("probes", probes, 1, 10_000)
                .raise();
    }

    /** Returns the same settings without a breaker. */
    BreakerSettings disabled() {
        return new BreakerSettings(false, failurePercent, calls, minimumCalls, open, maxOpen, probes);
    }
}
