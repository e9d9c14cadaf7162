package io.iocluster.node.config;

import io.iocluster.http.TlsSettings;
import io.iocluster.settings.ConnectionUri;
import io.iocluster.settings.DataSize;
import io.iocluster.settings.DurationText;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.time.Duration;
import java.util.Set;

/** Settings of Consul: the configuration key to read, and the service registration. */
public record ConsulSettings(
        @Setting(
                value = "\"\"",
                doc = "URL of the agent's HTTP API, such as `http://127.0.0.1:8500`. Empty: Consul is not used.")
        String address,

        @Setting(value = "\"\"", secret = true, live = true, doc = "ACL token for requests to the agent. Empty: none.")
        String token,

        @Setting(peer = "Consul's agent", doc = "TLS settings for an `https` address.")
        TlsSettings tls,

        @Setting(value = "\"\"", doc = "Key whose YAML value overrides this file. Empty: none.")
        String key,

        @Setting(value = "\"\"", doc = "Datacenter to read the key from. Empty: the agent's datacenter.")
        String datacenter,

        @Setting(
                value = "1m",
                doc = "How long a blocking query stays open while the key does not change. A dead connection is"
                        + " detected after this time plus `timeout`.")
        Duration queryWait,

        @Setting(value = "500ms", doc = "Minimum time between the starts of two queries for the key.")
        Duration minInterval,

        @Setting(value = "5s", doc = "Maximum time for the agent to answer, in addition to `query-wait`.")
        Duration timeout,

        @Setting(value = "1s", doc = "Delay after the first failure. Doubles with each further failure, with jitter.")
        Duration baseDelay,

        @Setting(value = "30s", doc = "Maximum delay after a failure.")
        Duration maxDelay,

        @Setting(
                value = "30s",
                doc = "How long a starting node waits for the key's first value before the start fails.")
        Duration startupTimeout,

        @Setting(value = "1MiB", doc = "Maximum size of the key's value.")
        DataSize maxValueSize,

        @Setting(value = "500", doc = "Instances of a service that are upstreams. Further ones get no calls.")
        int maxInstances,

        @Setting(doc = "Registration of the node as a Consul service.")
        ConsulServiceSettings service) {

    private static final Duration MIN_DELAY = Duration.ofMillis(1);
    private static final Duration MAX_DELAY = Duration.ofHours(1);

    public ConsulSettings {
        new SettingsValidator()
                .checkParses("address", address, ConsulSettings::checkAddress)
                .check(token.matches("[\\x21-\\x7e]*"), "token", "must be visible ASCII without spaces")
                .check(!key.startsWith("/"), "key", "must not start with a slash: " + key)
                .check(key.isEmpty() || !address.isEmpty(), "key", "requires an address")
                .check(
                        datacenter.matches("[\\w-]{0,255}"),
                        "datacenter",
                        "must consist of up to 255 letters, digits, _ and -: " + datacenter)
                .checkRange("query-wait", queryWait, Duration.ofSeconds(1), Duration.ofMinutes(10))
                .checkRange("min-interval", minInterval, MIN_DELAY, Duration.ofMinutes(1))
                .checkRange("timeout", timeout, MIN_DELAY, Duration.ofMinutes(1))
                .checkRange("base-delay", baseDelay, MIN_DELAY, MAX_DELAY)
                .check(
                        maxDelay.compareTo(baseDelay) >= 0 && maxDelay.compareTo(MAX_DELAY) <= 0,
                        "max-delay",
                        "must be from base-delay to 1h: " + DurationText.format(maxDelay))
                .checkRange("max-instances", maxInstances, 1, 5_000)
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
            throw new IllegalArgumentException("must be a URL such as http://127.0.0.1:8500", noUri);
        }
        if (!Set.of("http", "https").contains(uri.scheme())) {
            throw new IllegalArgumentException("must start with http:// or https://: " + uri);
        }
        if (!uri.user().isEmpty() || !uri.password().isEmpty()) {
            throw new IllegalArgumentException("must not contain a user; use token");
        }
    }

    /** Returns whether Consul is used. */
    public boolean isEnabled() {
        return !address.isEmpty();
    }

    /** Returns whether a key in Consul overrides a part of the configuration. */
    public boolean hasKey() {
        return !key.isEmpty();
    }

    /** Returns whether the node registers itself as a service. */
    public boolean isServiceEnabled() {
        return isEnabled() && service.enabled();
    }

    /** Returns the settings without the token. */
    @Override
    public String toString() {
        return "ConsulSettings[" + address + (token.isEmpty() ? "" : ", token") + ", key=" + key + ", datacenter="
                + datacenter + ", " + tls + ", queryWait=" + queryWait + ", minInterval=" + minInterval + ", timeout="
                + timeout
                + ", baseDelay=" + baseDelay + ", maxDelay=" + maxDelay + ", startupTimeout=" + startupTimeout
                + ", maxValueSize=" + maxValueSize + ", maxInstances=" + maxInstances + ", " + service + "]";
    }
}
