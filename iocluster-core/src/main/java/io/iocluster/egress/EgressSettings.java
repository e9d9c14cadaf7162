package io.iocluster.egress;

import io.iocluster.settings.DataSize;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.util.List;

/** Where calls may go. Anyone who can enqueue can make the node call, so what is not listed is narrow. */
public record EgressSettings(
        @Setting(
                value = "enforce",
                doc = "`enforce`: what is forbidden is rejected; `report`: it is called, counted and logged; `open`:"
                        + " nobody asks.")
        EgressMode mode,

        @Setting(value = "[https, http]", doc = "Schemes that URLs may have.")
        List<String> schemes,

        @Setting(value = "[80, 443]", doc = "Ports that URLs may have; empty: any.")
        List<Integer> ports,

        @Setting(
                value = "[]",
                doc = "Networks, such as `10.20.0.0/16`, that are allowed although they are private. Cloud"
                        + " metadata addresses stay refused unless named one by one.")
        List<String> allowNetworks,

        @Setting(
                value = "[]",
                doc = "Networks that are refused although they are public, or although `allow-networks` names one"
                        + " around them.")
        List<String> denyNetworks,

        @Setting(value = "[]", doc = "Hosts that are refused, such as `evil.example` or `*.evil.example`.")
        List<String> denyHosts,

        @Setting(value = "[]", doc = "If any are given, only these hosts are called.")
        List<String> allowHosts,

        @Setting(value = "8KiB", doc = "Longest URL.") DataSize maxUrl,

        @Setting(value = "64", doc = "Most headers of a call.")
        int maxHeaders,

        @Setting(value = "8KiB", doc = "Most bytes that a call's headers may take on the wire together.")
        DataSize maxHeaderBytes) {

    private static final DataSize LEAST = new DataSize(256);
    /** The largest envelope has room for this much of each beside its body. */
    private static final DataSize MOST = new DataSize(64 * 1024);

    /** What holds where the configuration says nothing. */
    public static final EgressSettings DEFAULTS = new EgressSettings(
            EgressMode.ENFORCE,
            List.of("https", "http"),
            List.of(80, 443),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            new DataSize(8 * 1024),
            64,
            new DataSize(8 * 1024));

    public EgressSettings {
        schemes = List.copyOf(schemes);
        ports = List.copyOf(ports);
        allowNetworks = List.copyOf(allowNetworks);
        denyNetworks = List.copyOf(denyNetworks);
        denyHosts = List.copyOf(denyHosts);
        allowHosts = List.copyOf(allowHosts);
        SettingsValidator mistakes = new SettingsValidator();
        mistakes.check(!schemes.isEmpty(), "schemes", "must not be empty");
        mistakes.checkEach(
                "schemes",
                schemes,
                (key, scheme) -> mistakes.check(
                        scheme.equals("https") || scheme.equals("http"), key, "must be one of https, http: " + scheme));
        mistakes.checkEach("ports", ports, (key, port) -> mistakes.checkRange(key, port, 1, 65_535));
        mistakes.checkEach(
                "allow-networks",
                allowNetworks,
                (key, network) -> mistakes.checkParses(key, network, CidrBlock::parse));
        mistakes.checkEach(
                "deny-networks", denyNetworks, (key, network) -> mistakes.checkParses(key, network, CidrBlock::parse));
        mistakes.checkEach(
                "deny-hosts", denyHosts, (key, host) -> mistakes.checkParses(key, host, HostPatterns::validate));
        mistakes.checkEach(
                "allow-hosts", allowHosts, (key, host) -> mistakes.checkParses(key, host, HostPatterns::validate));
        mistakes.checkRange("max-url", maxUrl, LEAST, MOST)
                .checkRange("max-headers", maxHeaders, 1, 1_000)
                .checkRange("max-header-bytes", maxHeaderBytes, LEAST, MOST)
                .throwIfInvalid();
    }

    /** Which addresses these settings let through. */
    AddressPolicy addressPolicy() {
        return new AddressPolicy(networks(allowNetworks), networks(denyNetworks));
    }

    private static List<CidrBlock> networks(List<String> texts) {
        return texts.stream().map(CidrBlock::parse).toList();
    }
}
