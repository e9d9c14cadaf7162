package io.iocluster.destination.policy;

import io.iocluster.egress.HostPatterns;
import io.iocluster.settings.Inlined;
import io.iocluster.settings.InvalidSettingsException;
import io.iocluster.settings.InvalidSettingsException.InvalidSetting;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import io.iocluster.upstream.HealthCheckSettings;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** An entry of {@code destinations}: a group of hosts that share the limits of one policy. Immutable. */
public record DestinationSettings(
        @Setting(
                doc = "Hosts: `partner.example`, or `*.partner.example` for all its subdomains. The first entry that"
                        + " matches a host applies.")
        List<String> match,

        @Setting(value = "\"\"", doc = "Name in metrics and `/api/destinations`; empty: the first host, as written.")
        String name,

        @Inlined DestinationPolicy policy) {

    public DestinationSettings {
        match = List.copyOf(match);
        name = name.isEmpty() && !match.isEmpty() ? match.get(0) : name;
        SettingsValidator errors = new SettingsValidator()
                .check(!match.isEmpty(), "match", "must name at least one host")
                .check(
                        match.contains(name) || name.matches("[\\w.*-]{1,100}"),
                        "name",
                        "must be up to 100 letters, digits and any of . _ * -: " + name)
                .check(
                        !name.equals("other"),
                        "name",
                        "must not be other, the name of the destinations above workers.max-destinations");
        errors.checkEach("match", match, (key, host) -> errors.checkParses(key, host, HostPatterns::validate));
        errors.check(
                !policy.upstreams().isEnabled() || match.stream().noneMatch(host -> host.indexOf(':') >= 0),
                "upstreams",
                "must name no upstreams if match contains an IPv6 address: " + match);
        errors.throwIfInvalid();
        HealthCheckSettings check = policy.upstreams().healthCheck();
        errors.check(
                !check.isEnabled()
                        || new HostPatterns(match).matches(check.target().host()),
                "upstreams.health-check.url",
                "must have a host that match names: " + check.url());
        errors.throwIfInvalid();
    }

    /**
     * Checks that no two entries have the same name.
     *
     * @param path the configuration path of the entries, for the error messages
     * @throws InvalidSettingsException if two entries have the same name
     */
    public static void requireUniqueNames(String path, List<DestinationSettings> entries) {
        Set<String> names = new HashSet<>();
        List<InvalidSetting> errors = new ArrayList<>();
        for (int i = 0; i < entries.size(); i++) {
            String name = entries.get(i).name();
            if (!names.add(name)) {
                errors.add(new InvalidSetting(path + "[" + i + "].name", "is used by another destination: " + name));
            }
        }
        if (!errors.isEmpty()) {
            throw new InvalidSettingsException(errors);
        }
    }
}
