package io.iocluster.node.config;

import io.iocluster.settings.DurationText;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.time.Duration;

/** Settings of the announcements with which nodes see each other. */
public record ClusterSettings(
        @Setting(
                value = "true",
                doc = "Whether the node announces itself to the nodes that share its requests, and shows them.")
        boolean enabled,

        @Setting(value = "1s", doc = "How often the node announces itself, from 1s to 1m.")
        Duration announceInterval,

        @Setting(
                value = "10s",
                doc = "How long a silent node counts as live. At least three times `cluster.announce-interval`.")
        Duration expireAfter,

        @Setting(
                value = "100",
                doc = "Nodes that are shown, and that divide limits for the whole cluster. Others are ignored.")
        int maxNodes,

        @Setting(
                value = "1200ms",
                doc = "How long after the death of a node the others divide its share of limits for the whole"
                        + " cluster, from 1s to 1m. A longer time tolerates a slower broker. With more than 10 nodes,"
                        + " it grows up to 3.5 times `cluster.announce-interval`.")
        Duration shareLease) {

    /** Upper bound of {@code announce-interval} and {@code share-lease}. */
    public static final Duration MAX_INTERVAL = Duration.ofMinutes(1);

    private static final Duration MIN_INTERVAL = Duration.ofSeconds(1);
    private static final Duration MAX_EXPIRY = Duration.ofMinutes(10);
    private static final int MIN_INTERVALS = 3;

    /** The defaults. */
    public static final ClusterSettings DEFAULTS =
            new ClusterSettings(true, Duration.ofSeconds(1), Duration.ofSeconds(10), 100, Duration.ofMillis(1_200));

    public ClusterSettings {
        new SettingsValidator()
                .check(
                        announceInterval.compareTo(MIN_INTERVAL) >= 0 && announceInterval.compareTo(MAX_INTERVAL) <= 0,
                        "announce-interval",
                        "must be from 1s to 1m: " + DurationText.format(announceInterval))
                .check(
                        expireAfter.compareTo(announceInterval.multipliedBy(MIN_INTERVALS)) >= 0
                                && expireAfter.compareTo(MAX_EXPIRY) <= 0,
                        "expire-after",
                        "must be at least " + MIN_INTERVALS + " times announce-interval, and at most 10m: "
                                + DurationText.format(expireAfter))
                .checkRange("max-nodes", maxNodes, 1, 1_000)
                .check(
                        shareLease.compareTo(MIN_INTERVAL) >= 0 && shareLease.compareTo(MAX_INTERVAL) <= 0,
                        "share-lease",
                        "must be from 1s to 1m: " + DurationText.format(shareLease))
                .throwIfInvalid();
    }
}
