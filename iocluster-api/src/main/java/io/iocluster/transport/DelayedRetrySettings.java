package io.iocluster.transport;

import io.iocluster.settings.DurationText;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;

/** Whether the broker keeps calls that wait for long, and where. */
public record DelayedRetrySettings(
        @Setting(
                value = "false",
                doc = "Whether a call whose wait is longer than `retry.delayed-after` waits with the broker.")
        boolean enabled,

        @Setting(
                value = "\"\"",
                doc = "How the names of the topics or queues begin; empty: the consumer group's name or that of the"
                        + " queue of requests, and `.delayed`. Nodes that share their requests share these too, and"
                        + " others have their own.")
        String prefix,

        @Setting(
                value = "[30s, 1m, 5m, 30m, 2h]",
                doc = "The waits that there is a topic or queue for, each named by the prefix and its wait:"
                        + " `iocluster.delayed-30s`. A longer wait is made of several; what is left is waited in the"
                        + " node.")
        List<Duration> tiers) {

    private static final Duration LEAST = Duration.ofMillis(100);
    private static final Duration MOST = Duration.ofDays(1);
    private static final int MOST_TIERS = 20;

    /** What holds where the configuration says nothing. */
    public static final DelayedRetrySettings DEFAULTS = new DelayedRetrySettings(
            false,
            "",
            List.of(
                    Duration.ofSeconds(30),
                    Duration.ofMinutes(1),
                    Duration.ofMinutes(5),
                    Duration.ofMinutes(30),
                    Duration.ofHours(2)));

    public DelayedRetrySettings {
        SettingsValidator mistakes = new SettingsValidator()
                .check(!tiers.isEmpty(), "tiers", "must name at least one wait")
                .check(tiers.size() <= MOST_TIERS, "tiers", "must be at most " + MOST_TIERS)
                .check(new HashSet<>(tiers).size() == tiers.size(), "tiers", "must not name a wait twice");
        mistakes.checkEach(
                "tiers",
                tiers,
                (key, tier) -> mistakes.check(
                        tier.compareTo(LEAST) >= 0 && tier.compareTo(MOST) <= 0,
                        key,
                        "must be from 100ms to 1d: " + DurationText.format(tier)));
        mistakes.throwIfInvalid();
        tiers = tiers.stream().sorted().toList();
    }

    /** The waits there are, shortest first; none if this is not enabled. */
    public List<Duration> enabledTiers() {
        return enabled ? tiers : List.of();
    }

    /** The prefix, or what stands for it where it is empty. */
    public String prefixOrDefault(String owner) {
        return prefix.isEmpty() ? owner + ".delayed" : prefix;
    }

    /** The name of the topic or queue for one of the waits. */
    public static String tierName(String prefix, Duration tier) {
        return prefix + "-" + DurationText.format(tier);
    }
}
