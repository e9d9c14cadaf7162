package io.iocluster.egress;

import io.iocluster.settings.DataSize;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.util.List;

/**
 * Limits where calls may go. The defaults are narrow, because everyone who can publish a request can make the node
 * call.
 */
public record EgressSettings(
        @Setting(
                value = "enforce",
                doc = "`enforce`: forbidden calls are rejected. `report`: they are made, counted and logged. `open`:"
                        + " calls are not checked.")
        EgressMode mode,

        @Setting(value = "[https, http]", doc = "Schemes that are allowed.")
        List<String> schemes,

        @Setting(value = "[80, 443]", doc = "Ports that are allowed. Empty: all.")
        List<Integer> ports,

        @Setting(
                value = "[]",
                doc = "Private networks that are allowed, such as `10.20.0.0/16`. Cloud metadata addresses must each"
                        + " be listed by itself.")
        List<String> allowNetworks,

        @Setting(value = "[]", doc = "Networks that are forbidden, although public or in `allow-networks`.")
        List<String> denyNetworks,

        @Setting(value = "[]", doc = "Hosts that are forbidden, such as `evil.example` or `*.evil.example`.")
        List<String> denyHosts,

        @Setting(value = "[]", doc = "The only hosts that are allowed. Empty: all.")
        List<String> allowHosts,

        @Setting(value = "8KiB", doc = "Maximum length of a URL.")
        DataSize maxUrl,

        @Setting(value = "64", doc = "Maximum number of request headers.")
        int maxHeaders,

        @Setting(value = "8KiB", doc = "Maximum total size of the request headers on the wire.")
        DataSize maxHeaderBytes) {

    private static final DataSize MIN_SIZE = new DataSize(256);
    /** The largest envelope has room for a URL and for headers of this size beside its body. */
    private static final DataSize MAX_SIZE = new DataSize(64 * 1024);

    /** Values for keys that are not configured. */
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
        SettingsValidator validator = new SettingsValidator();
        validator.check(!schemes.isEmpty(), "schemes", "must not be empty");
        validator.checkEach(
                "schemes",
                schemes,
                (key, scheme) -> validator.check(
                        scheme.equals("https") || scheme.equals("http"), key, "must be one of https, http: " + scheme));
        validator.checkEach("ports", ports, (key, port) -> validator.checkRange(key, port, 1, 65_535));
        validator.checkEach(
                "allow-networks",
                allowNetworks,
                (key, network) -> validator.checkParses(key, network, CidrBlock::parse));
        validator.checkEach(
                "deny-networks", denyNetworks, (key, network) -> validator.checkParses(key, network, CidrBlock::parse));
        validator.checkEach(
                "deny-hosts", denyHosts, (key, host) -> validator.checkParses(key, host, HostPatterns::validate));
        validator.checkEach(
                "allow-hosts", allowHosts, (key, host) -> validator.checkParses(key, host, HostPatterns::validate));
        validator
                .checkRange("max-url", maxUrl, MIN_SIZE, MAX_SIZE)
                .checkRange("max-headers", maxHeaders, 1, 1_000)
                .checkRange("max-header-bytes", maxHeaderBytes, MIN_SIZE, MAX_SIZE)
                .throwIfInvalid();
    }

    /** Returns the check for addresses. */
    AddressPolicy addressPolicy() {
        return new AddressPolicy(networks(allowNetworks), networks(denyNetworks));
    }

    private static List<CidrBlock> networks(List<String> texts) {
        return texts.stream().map(CidrBlock::parse).toList();
    }
}
