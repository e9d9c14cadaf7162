package io.iocluster.node.config;

import io.iocluster.settings.DurationText;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.time.Duration;
import java.util.List;

/** How a node is registered with Consul. */
public record ConsulServiceSettings(
        @Setting(value = "true", doc = "Whether the node is registered, where there is an agent.")
        boolean enabled,

        @Setting(value = "iocluster", doc = "The service's name. The node's `id` comes after it in the service's id.")
        String name,

        @Setting(value = "[]", doc = "The service's tags.") List<String> tags,

        @Setting(
                value = "\"\"",
                doc = "Where others reach the node's admin server; empty: at `admin.host`, and where that is a loopback"
                        + " or any address, at the agent's own.")
        String address,

        @Setting(
                value = "auto",
                doc = "Whether the agent asks the node (`http`) or the node tells the agent (`ttl`). `auto`: the agent"
                        + " asks where it can reach the admin server, by `address`, by `admin.host`, or because both are"
                        + " on this machine's loopback.")
        Check check,

        @Setting(
                value = "10s",
                doc = "How often the node's health is asked or told, and how often the node looks whether it is still"
                        + " registered.")
        Duration checkInterval,

        @Setting(value = "5s", doc = "How long the node may take to answer the agent.")
        Duration checkTimeout,

        @Setting(
                value = "10m",
                doc = "How long the node's process may be away until the agent forgets it; at least a minute.")
        Duration deregisterAfter) {

    private static final Duration MOST = Duration.ofDays(7);

    public ConsulServiceSettings {
        tags = List.copyOf(tags);
        new SettingsValidator()
                .check(
                        name.matches("[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?"),
                        "name",
                        "must be up to 63 letters, digits and dashes between them: " + name)
                .check(address.matches("\\S*"), "address", "must have no spaces: " + address)
                .check(
                        checkInterval.compareTo(Duration.ofMillis(50)) >= 0 && checkInterval.compareTo(MOST) <= 0,
                        "check-interval",
                        "must be from 50ms to 7d: " + DurationText.format(checkInterval))
                .checkPositive("check-timeout", checkTimeout)
                .check(
                        deregisterAfter.compareTo(Duration.ofMinutes(1)) >= 0 && deregisterAfter.compareTo(MOST) <= 0,
                        "deregister-after",
                        "must be from 1m to 7d: " + DurationText.format(deregisterAfter))
                .throwIfInvalid();
    }

    /** Who asks whom. */
    public enum Check {
        AUTO,
        HTTP,
        TTL
    }
}
