package io.iocluster.transport;

import io.iocluster.settings.DurationText;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;

/** Settings of the delayed retries, which wait in the broker. */
public record DelayedRetrySettings(
        @Setting(
                value = "false",
                doc = "Whether the broker keeps calls that wait for longer than `retry.delayed-after`.")
        boolean enabled,

        @Setting(
                value = "\"\"",
                doc = "Prefix of the delay topics or queues, the same on all nodes that share requests, and on no"
                        + " others. Empty: the consumer group or request queue, and `.delayed`.")
        String prefix,

        @Setting(
                value = "[30s, 1m, 5m, 30m, 2h]",
                doc = "The delays, each with a topic or queue such as `iocluster.delayed-30s`. A longer wait uses"
                        + " several in turn; the rest is spent in the node.")
        List<Duration> tiers) {

    private static final Duration MIN_TIER = Duration.ofMillis(100);
    private static final Duration MAX_TIER = Duration.ofDays(1);
    private static final int MAX_TIERS = 20;

    /** The settings of an empty configuration. */
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
        SettingsValidator validator = new SettingsValidator()
                .check(!tiers.isEmpty(), "tiers", "must have at least one delay")
                .check(
                        tiers.size() <= MAX_TIERS,
                        "tiers",
                        "must have at most " + MAX_TIERS + " delays: " + tiers.size())
                .check(new HashSet<>(tiers).size() == tiers.size(), "tiers", "must not have the same delay twice");
        validator.checkEach(
                "tiers",
                tiers,
                (key, tier) -> validator.check(
                        tier.compareTo(MIN_TIER) >= 0 && tier.compareTo(MAX_TIER) <= 0,
                        key,
                        "must be from 100ms to 1d: " + DurationText.format(tier)));
        validator.throwIfInvalid();
        tiers = tiers.stream().sorted().toList();
    }

    /** Returns the delays, shortest first; empty if delayed retries are disabled. */
    public List<Duration> enabledTiers() {
        return enabled ? tiers : List.of();
    }

    /**
     * Returns the prefix, or the default if it is empty.
     *
     * @param owner the name of the consumer group or request queue
     */
    public String prefixOrDefault(String owner) {
        return prefix.isEmpty() ? owner + ".delayed" : prefix;
    }

    /** Returns the name of the topic or queue for one delay. */
    public static String tierName(String prefix, Duration tier) {
        return prefix + "-" + DurationText.format(tier);
    }
}
