package io.iocluster.node.config;

import io.iocluster.http.TlsSettings;
import io.iocluster.settings.ConnectionUri;
import io.iocluster.settings.DataSize;
import io.iocluster.settings.DurationText;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.time.Duration;
import java.util.Set;

/** How a node meets Consul: what it reads there and how it is registered. */
public record ConsulSettings(
        @Setting(value = "\"\"", doc = "The agent's HTTP interface, such as `http://127.0.0.1:8500`; empty: no Consul.")
        String address,

        @Setting(
                value = "\"\"",
                secret = true,
                live = true,
                doc = "The ACL token that the agent is shown; empty: none.")
        String token,

        @Setting(peer = "Consul's agent", doc = "For an `https` address.")
        TlsSettings tls,

        @Setting(
                value = "\"\"",
                doc = "The key whose value, in YAML, is laid over this file; empty: the file says everything.")
        String key,

        @Setting(value = "\"\"", doc = "The datacenter that the key is read from; empty: the agent's own.")
        String datacenter,

        @Setting(
                value = "1m",
                doc = "How long the agent lets a query wait for a change before it answers that there was none. A"
                        + " connection that has silently died is noticed after so long.")
        Duration queryWait,

        @Setting(
                value = "500ms",
                doc = "The least time between the beginnings of two queries for the key, however soon they are"
                        + " answered.")
        Duration minInterval,

        @Setting(value = "5s", doc = "How long the agent may take to answer, besides the `query-wait`.")
        Duration timeout,

        @Setting(value = "1s", doc = "The wait after a first failure; it doubles with each further one, with jitter.")
        Duration baseDelay,

        @Setting(value = "30s", doc = "The longest wait after a failure.")
        Duration maxDelay,

        @Setting(
                value = "30s",
                doc = "How long a start waits for the key's first value; then it fails. While the node runs it goes on"
                        + " with what it has.")
        Duration startupTimeout,

        @Setting(value = "1MiB", doc = "The largest value that is read.")
        DataSize maxValueSize,

        @Setting(doc = "The node as a service of Consul's.") ConsulServiceSettings service) {

    private static final Duration LONGEST_WAIT = Duration.ofMinutes(10);
    private static final Duration SHORTEST = Duration.ofMillis(1);

    public ConsulSettings {
        new SettingsValidator()
                .checkParses("address", address, ConsulSettings::checkAddress)
                .check(token.matches("[\\x21-\\x7e]*"), "token", "must be visible ASCII without spaces")
                .check(!key.startsWith("/"), "key", "must not begin with a slash: " + key)
                .check(key.isEmpty() || !address.isEmpty(), "key", "is there without an address")
                .check(
                        datacenter.matches("[\\w-]*"),
                        "datacenter",
                        "must be letters, digits and any of _ -: " + datacenter)
                .check(
                        isWithin(queryWait, Duration.ofSeconds(1), LONGEST_WAIT),
                        "query-wait",
                        "must be from 1s to 10m: " + DurationText.format(queryWait))
                .check(
                        isWithin(minInterval, SHORTEST, Duration.ofMinutes(1)),
                        "min-interval",
                        "must be from 1ms to 1m: " + DurationText.format(minInterval))
                .checkPositive("timeout", timeout)
                .check(
                        isWithin(baseDelay, SHORTEST, Duration.ofHours(1)),
                        "base-delay",
                        "must be from 1ms to 1h: " + DurationText.format(baseDelay))
                .check(
                        isWithin(maxDelay, baseDelay, Duration.ofHours(1)),
                        "max-delay",
                        "must be from base-delay to 1h: " + DurationText.format(maxDelay))
                .checkPositive("startup-timeout", startupTimeout)
                .checkRange("max-value-size", maxValueSize, new DataSize(1), DataSize.ofMebibytes(64))
                .throwIfInvalid();
    }

    private static void checkAddress(String address) {
        if (address.isEmpty()) {
            return;
        }
        ConnectionUri uri;
        try {
            uri = ConnectionUri.parse(address);
        } catch (IllegalArgumentException noUri) {
            throw new IllegalArgumentException("must be such as http://127.0.0.1:8500", noUri);
        }
        if (!Set.of("http", "https").contains(uri.scheme())) {
            throw new IllegalArgumentException("must begin with http:// or https://: " + uri);
        }
        if (!uri.user().isEmpty() || !uri.password().isEmpty()) {
            throw new IllegalArgumentException("must have no user; Consul takes a token");
        }
    }

    private static boolean isWithin(Duration value, Duration least, Duration most) {
        return value.compareTo(least) >= 0 && value.compareTo(most) <= 0;
    }

    /** Whether there is an agent. */
    public boolean isEnabled() {
        return !address.isEmpty();
    }

    /** Whether it holds a part of the configuration. */
    public boolean hasKey() {
        return !key.isEmpty();
    }

    /** Whether the node is registered with it. */
    public boolean isServiceEnabled() {
        return isEnabled() && service.enabled();
    }

    /** Everything but the token. */
    @Override
    public String toString() {
        return "ConsulSettings[" + address + (token.isEmpty() ? "" : ", token") + ", key=" + key + ", datacenter="
                + datacenter + ", " + tls + ", queryWait=" + queryWait + ", minInterval=" + minInterval + ", timeout="
                + timeout
                + ", baseDelay=" + baseDelay + ", maxDelay=" + maxDelay + ", startWithin=" + startupTimeout
                + ", maxValue=" + maxValueSize + ", " + service + "]";
    }
}
