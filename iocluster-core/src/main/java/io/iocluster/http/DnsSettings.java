package io.iocluster.http;

import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/** How names of targets are looked up. */
public record DnsSettings(
        @Setting(
                value = "[]",
                doc =
                        "Name servers that are asked, as an address or `address:port`, the second where the first does not"
                                + " answer; empty: the machine's own.")
        List<String> servers,

        @Setting(value = "2s", doc = "Longest wait for one name server's answer.")
        Duration queryTimeout,

        @Setting(
                value = "10000",
                doc = "How many names each worker remembers; the one unused for longest makes room. 0: none.")
        int cacheSize,

        @Setting(
                value = "16",
                doc = "How many addresses of a name are cached and tried. The egress rules check all addresses.")
        int maxAddresses,

        @Setting(value = "0s", doc = "A name is remembered for its time to live, but at least so long.")
        Duration minTtl,

        @Setting(value = "60s", doc = "A name is remembered for its time to live, but at most so long.")
        Duration maxTtl,

        @Setting(value = "1s", doc = "How long it is remembered that a name does not exist.")
        Duration negativeTtl) {

    private static final int PORT = 53;
    private static final Duration LONGEST_TTL = Duration.ofDays(7);

    /** What holds where the configuration says nothing. */
    public static final DnsSettings DEFAULTS = new DnsSettings(
            List.of(), Duration.ofSeconds(2), 10_000, 16, Duration.ZERO, Duration.ofSeconds(60), Duration.ofSeconds(1));

    public DnsSettings {
        servers = List.copyOf(servers);
        SettingsValidator mistakes = new SettingsValidator();
        mistakes.checkEach(
                "servers",
                servers,
                (key, server) ->
                        mistakes.check(address(server) != null, key, "must be an address or address:port: " + server));
        mistakes.checkPositive("query-timeout", queryTimeout)
                .checkRange("cache-size", cacheSize, 0, 10_000_000)
                .checkRange("max-addresses", maxAddresses, 1, 1_000)
                .check(minTtl.compareTo(maxTtl) <= 0, "min-ttl", "must not be above max-ttl");
        ttl(mistakes, "min-ttl", minTtl);
        ttl(mistakes, "max-ttl", maxTtl);
        ttl(mistakes, "negative-ttl", negativeTtl);
        mistakes.throwIfInvalid();
    }

    private static void ttl(SettingsValidator mistakes, String key, Duration ttl) {
        mistakes.checkNotNegative(key, ttl)
                .check(ttl.compareTo(LONGEST_TTL) <= 0, key, "must be at most 7d")
                .check(ttl.toMillis() % 1_000 == 0, key, "must be whole seconds");
    }

    /** The servers, in their order. */
    public List<InetSocketAddress> serverAddresses() {
        return servers.stream().map(DnsSettings::address).toList();
    }

    /** Null for what is no address; a name would have to be looked up to look up names. */
    private static InetSocketAddress address(String server) {
        InetAddress bare = NetUtil.createInetAddressFromIpAddressString(server);
        if (bare != null) {
            return new InetSocketAddress(bare, PORT);
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
