package io.iocluster.http;

import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/** Configures the DNS lookups of target names. */
public record DnsSettings(
        @Setting(
                value = "[]",
                doc = "Name servers, each an address or `address:port`, asked in turn. Empty: those of the machine.")
        List<String> servers,

        @Setting(value = "2s", doc = "Longest wait for a reply of one name server.")
        Duration queryTimeout,

        @Setting(
                value = "10000",
                doc = "Names that each worker caches; the least recently used one beyond is evicted. 0: none.")
        int cacheSize,

        @Setting(value = "16", doc = "Addresses of a name that are cached and tried. The egress policy checks all.")
        int maxAddresses,

        @Setting(value = "0s", doc = "Shortest time that a name is cached.")
        Duration minTtl,

        @Setting(value = "60s", doc = "Longest time that a name is cached.")
        Duration maxTtl,

        @Setting(value = "1s", doc = "How long it is cached that a name does not exist.")
        Duration negativeTtl) {

    private static final int DEFAULT_PORT = 53;
    private static final Duration MAX_TTL = Duration.ofDays(7);

    /** Values for keys that are not configured. */
    public static final DnsSettings DEFAULTS = new DnsSettings(
            List.of(), Duration.ofSeconds(2), 10_000, 16, Duration.ZERO, Duration.ofSeconds(60), Duration.ofSeconds(1));

    public DnsSettings {
        servers = List.copyOf(servers);
        SettingsValidator validator = new SettingsValidator();
        validator.checkEach(
                "servers",
                servers,
                (key, server) ->
                        validator.check(address(server) != null, key, "must be an address or address:port: " + server));
        validator
                .checkPositive("query-timeout", queryTimeout)
                .checkRange("cache-size", cacheSize, 0, 10_000_000)
                .checkRange("max-addresses", maxAddresses, 1, 1_000)
                .check(minTtl.compareTo(maxTtl) <= 0, "min-ttl", "must not be above max-ttl");
        checkTtl(validator, "min-ttl", minTtl);
        checkTtl(validator, "max-ttl", maxTtl);
        checkTtl(validator, "negative-ttl", negativeTtl);
        validator.throwIfInvalid();
    }

    private static void checkTtl(SettingsValidator validator, String key, Duration ttl) {
        validator
                .checkNotNegative(key, ttl)
                .check(ttl.compareTo(MAX_TTL) <= 0, key, "must be at most 7d")
                .check(ttl.toMillis() % 1_000 == 0, key, "must be whole seconds");
    }

    /** Returns the configured name servers in order. */
    public List<InetSocketAddress> serverAddresses() {
        return servers.stream().map(DnsSettings::address).toList();
    }

    /**
     * Returns null if the text is not an address. A host name is not accepted, because it would need a lookup itself.
     */
    private static InetSocketAddress address(String server) {
        InetAddress bare = NetUtil.createInetAddressFromIpAddressString(server);
        if (bare != null) {
            return new InetSocketAddress(bare, DEFAULT_PORT);
        }
        int colon = server.lastIndexOf(':');
        String port = server.substring(colon + 1);
        if (colon < 0 || !port.matches("[1-9]\\d{0,4}") || Integer.parseInt(port) > 65_535) {
            return null;
        }
        String host = server.substring(0, colon);
        boolean ipv6 = host.indexOf(':') >= 0;
        InetAddress address = ipv6 && !(host.startsWith("[") && host.endsWith("]"))
                ? null
                : NetUtil.createInetAddressFromIpAddressString(host);
        return address == null ? null : new InetSocketAddress(address, Integer.parseInt(port));
    }
}
