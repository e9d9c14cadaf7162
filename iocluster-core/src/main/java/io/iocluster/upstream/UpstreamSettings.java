package io.iocluster.upstream;

import io.iocluster.egress.PortRanges;
import io.iocluster.http.UpstreamAddress;
import io.iocluster.http.UpstreamName;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/** Configures the upstreams of a destination. Immutable. */
public record UpstreamSettings(
        @Setting(
                value = "[]",
                doc = "[Replicas](upstreams.md) of the target, each `host:port` or `host:port@zone`, to which the"
                        + " node connects instead of the host and port of the URL. Empty: those of the URL.")
        List<String> addresses,

        @Setting(
                value = "\"\"",
                doc = "`host:port`: each address of the name is an upstream, up to `http.dns.max-addresses`.")
        String dns,

        @Setting(
                value = "\"\"",
                doc = "A service in DNS, such as `_https._tcp.partner.example`: the targets of its SRV records with the"
                        + " lowest priority are upstreams, up to `http.dns.max-addresses`.")
        String srv,

        @Setting(
                doc = "A Consul service whose healthy instances are upstreams. Set at most one of `addresses`, `dns`,"
                        + " `srv` and this.")
        ConsulUpstreamSettings consul,

        @Setting(
                value = "[]",
                doc = "Ports that `srv` and `consul` may name, such as `8443` or `20000-32000`. Empty: those of"
                        + " `egress.ports`.")
        List<String> ports,

        @Setting(value = "10s", doc = "How often the node looks up `srv`, and `dns` after the end of its TTL.")
        Duration refresh,

        @Setting(
                value = "10s",
                doc = "How long the share of an upstream that is new or returns from an ejection rises from 10 % to"
                        + " the whole share. 0: not at all.")
        Duration slowStart,

        @Setting(doc = "When the node stops calling an upstream that fails.")
        EjectionSettings ejection,

        @Setting(doc = "Requests by which the node checks whether an upstream is healthy.")
        HealthCheckSettings healthCheck,

        @Setting(doc = "Whether the node prefers the upstreams of its zone.")
        ZoneSettings zone) {

    static final int MAX_ADDRESSES = 1_000;
    private static final Duration MAX_PERIOD = Duration.ofDays(1);
    private static final Pattern SERVICE_NAME = Pattern.compile("|_[\\w-]{1,62}(\\.[\\w-]{1,63})+");

    /** The defaults of the configuration: no upstreams. */
    public static final UpstreamSettings DEFAULTS = new UpstreamSettings(
            List.of(),
            "",
            "",
            ConsulUpstreamSettings.NONE,
            List.of(),
            Duration.ofSeconds(10),
            Duration.ofSeconds(10),
            EjectionSettings.DEFAULTS,
            HealthCheckSettings.DEFAULTS,
            ZoneSettings.DEFAULTS);

    public UpstreamSettings {
        addresses = List.copyOf(addresses);
        ports = List.copyOf(ports);
        SettingsValidator validator = new SettingsValidator();
        validator
                .checkRange("addresses", addresses.size(), 0, MAX_ADDRESSES)
                .checkRange("slow-start", slowStart, Duration.ZERO, MAX_PERIOD);
        validator.checkEach(
                "addresses", addresses, (key, text) -> validator.checkParses(key, text, UpstreamAddress::parse));
        validator.checkEach("ports", ports, (key, text) -> validator.checkParses(key, text, PortRanges::validate));
        if (!dns.isEmpty()) {
            validator
                    .checkParses("dns", dns, UpstreamAddress::parse)
                    .check(addresses.isEmpty(), "dns", "must be empty if addresses is set: " + dns);
        }
        validator
                .check(
                        srv.length() <= 253 && SERVICE_NAME.matcher(srv).matches(),
                        "srv",
                        "must be a name such as _https._tcp.partner.example: " + srv)
                .check(
                        srv.isEmpty() || (addresses.isEmpty() && dns.isEmpty()),
                        "srv",
                        "must be empty if addresses or dns is set: " + srv)
                .check(
                        !consul.isEnabled() || (addresses.isEmpty() && dns.isEmpty() && srv.isEmpty()),
                        "consul.service",
                        "must be empty if addresses, dns or srv is set: " + consul.service());
        validator
                .checkRange("refresh", refresh, Duration.ofSeconds(1), MAX_PERIOD)
                .throwIfInvalid();
        validator.check(
                upstreams(addresses).stream()
                                .map(UpstreamAddress::toString)
                                .distinct()
                                .count()
                        == addresses.size(),
                "addresses",
                "must not contain an upstream twice: " + addresses);
        validator.throwIfInvalid();
    }

    /** Returns whether the destination has upstreams. */
    public boolean isEnabled() {
        return !addresses.isEmpty() || !dns.isEmpty() || !srv.isEmpty() || consul.isEnabled();
    }

    /** Returns whether the upstreams are found in the same way, so that those that were found can stay. */
    public boolean hasSameSource(UpstreamSettings other) {
        return dns.equals(other.dns) && srv.equals(other.srv) && consul.equals(other.consul);
    }

    /** Returns whether the configuration contains the upstreams themselves. */
    public boolean isStatic() {
        return !addresses.isEmpty();
    }

    /** Returns the upstreams of {@code addresses}, in their order. */
    public List<UpstreamAddress> upstreams() {
        return upstreams(addresses);
    }

    private static List<UpstreamAddress> upstreams(List<String> addresses) {
        return addresses.stream().map(UpstreamAddress::parse).toList();
    }

    /** Returns all hosts and ports of the configuration: {@code addresses}, or the name of {@code dns}. Empty for a service. */
    public List<UpstreamAddress> connectsTo() {
        return dns.isEmpty() ? upstreams() : List.of(UpstreamAddress.parse(dns));
    }

    /** Returns the ports that DNS or Consul may name. Empty for those of the egress policy. */
    public PortRanges allowedPorts() {
        return PortRanges.parse(
                dns.isEmpty()
                        ? ports
                        : List.of(Integer.toString(UpstreamAddress.parse(dns).port())));
    }

    /** Says where attempts connect to. */
    public String description() {
        if (!addresses.isEmpty()) {
            return String.join(", ", addresses);
        }
        if (!dns.isEmpty()) {
            return "the addresses of " + dns;
        }
        if (!srv.isEmpty()) {
            return "the targets of the SRV records of " + srv;
        }
        return consul.isEnabled()
                ? "the healthy instances of the Consul service " + consul
                : "none; the host of the URL";
    }

    /** Returns the name in DNS whose records are upstreams; null if there is none. */
    public UpstreamName lookupName() {
        if (!dns.isEmpty()) {
            return new UpstreamName.Host(UpstreamAddress.parse(dns));
        }
        return srv.isEmpty() ? null : new UpstreamName.Service(srv);
    }
}
