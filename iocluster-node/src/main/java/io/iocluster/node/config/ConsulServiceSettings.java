package io.iocluster.node.config;

import io.iocluster.settings.DurationText;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.time.Duration;
import java.util.List;

/** Settings of the node's registration as a Consul service. */
public record ConsulServiceSettings(
        @Setting(value = "true", doc = "Whether the node or door registers itself if `config.consul.address` is set.")
        boolean enabled,

        @Setting(
                value = "iocluster",
                doc = "Service name of nodes. Doors add `-door`. The service id is the name followed by the node's"
                        + " `id`.")
        String name,

        @Setting(value = "[]", doc = "Service tags.") List<String> tags,

        @Setting(
                value = "\"\"",
                doc = "Address at which others reach the admin server or the door. Empty: `admin.host` or"
                        + " `door.host`, or the agent's address if that is a loopback or wildcard address.")
        String address,

        @Setting(
                value = "auto",
                doc = "`http`: the agent calls the node. `ttl`: the node reports to the agent. `auto`: `http` [if the"
                        + " agent can reach the admin server](operations/consul.md#service-registration), otherwise"
                        + " `ttl`.")
        Check check,

        @Setting(
                value = "10s",
                doc = "Interval of the health check, and of the node's check that it is still registered.")
        Duration checkInterval,

        @Setting(value = "5s", doc = "Maximum time for the node to answer the agent's health check.")
        Duration checkTimeout,

        @Setting(value = "10m", doc = "How long the check may fail before the agent deregisters the node. At least 1m.")
        Duration deregisterAfter) {

    private static final Duration MAX_DURATION = Duration.ofDays(7);

    public ConsulServiceSettings {
        tags = List.copyOf(tags);
        new SettingsValidator()
                .check(
                        name.matches("[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?"),
                        "name",
                        "must be 1 to 63 letters, digits and dashes, with no dash at either end: " + name)
                .check(address.matches("\\S*"), "address", "must not contain spaces: " + address)
                .check(
                        checkInterval.compareTo(Duration.ofMillis(50)) >= 0
                                && checkInterval.compareTo(MAX_DURATION) <= 0,
                        "check-interval",
                        "must be from 50ms to 7d: " + DurationText.format(checkInterval))
                .checkPositive("check-timeout", checkTimeout)
                .check(
                        deregisterAfter.compareTo(Duration.ofMinutes(1)) >= 0
                                && deregisterAfter.compareTo(MAX_DURATION) <= 0,
                        "deregister-after",
                        "must be from 1m to 7d: " + DurationText.format(deregisterAfter))
                .throwIfInvalid();
    }

    /** The type of the health check. */
    public enum Check {
        AUTO,
        HTTP,
        TTL
    }
}
