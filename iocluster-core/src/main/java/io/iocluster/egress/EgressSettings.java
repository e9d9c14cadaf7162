package io.iocluster.egress;

import io.iocluster.settings.Mistakes;
import io.iocluster.settings.Setting;
import java.util.List;
import java.util.function.Consumer;

/** Where calls may go. Anyone who can enqueue can make the node call, so what is not listed is narrow. */
public record EgressSettings(
        @Setting(value = "[https, http]", doc = "Schemes that URLs may have.")
        List<String> schemes,

        @Setting(value = "[80, 443]", doc = "Ports that URLs may have; empty: any.")
        List<Integer> ports,

        @Setting(
                value = "[]",
                doc = "Networks, such as `10.20.0.0/16`, that are allowed although they are private. Cloud"
                        + " metadata addresses stay refused unless named one by one.")
        List<String> allowNetworks,

        @Setting(value = "[]", doc = "Hosts that are refused, such as `evil.example` or `*.evil.example`.")
        List<String> denyHosts,

        @Setting(value = "[]", doc = "If any are given, only these hosts are called.")
        List<String> allowHosts) {

    /** What holds where the configuration says nothing. */
    public static final EgressSettings DEFAULTS =
            new EgressSettings(List.of("https", "http"), List.of(80, 443), List.of(), List.of(), List.of());

    public EgressSettings {
        schemes = List.copyOf(schemes);
        ports = List.copyOf(ports);
        allowNetworks = List.copyOf(allowNetworks);
        denyHosts = List.copyOf(denyHosts);
        allowHosts = List.copyOf(allowHosts);
        Mistakes mistakes = new Mistakes();
        mistakes.check(!schemes.isEmpty(), "schemes", "must not be empty");
        for (String scheme : schemes) {
            mistakes.check(
                    scheme.equals("https") || scheme.equals("http"), "schemes", "knows https and http only: " + scheme);
        }
        for (int port : ports) {
            mistakes.between("ports", port, 1, 65_535);
        }
        allowNetworks.forEach(network -> check(mistakes, "allow-networks", network, NetworkBlock::parse));
        denyHosts.forEach(host -> check(mistakes, "deny-hosts", host, h -> new HostPatterns(List.of(h))));
        allowHosts.forEach(host -> check(mistakes, "allow-hosts", host, h -> new HostPatterns(List.of(h))));
        mistakes.raise();
    }

    /** Which addresses these settings let through. */
    public AddressPolicy addressPolicy() {
        return new AddressPolicy(allowNetworks.stream().map(NetworkBlock::parse).toList());
    }

    private static void check(Mistakes mistakes, String key, String value, Consumer<String> reader) {
        try {
            reader.accept(value);
        } catch (IllegalArgumentException unreadable) {
            mistakes.check(false, key, unreadable.getMessage());
        }
    }
}
