package io.iocluster.destination.policy;

import io.iocluster.egress.HostPatterns;
import java.util.List;
import java.util.Optional;

/** Finds the configured destination of a host. Immutable. */
public final class DestinationMatcher {

    private final List<HostRule> rules;
    private final DestinationPolicy defaultPolicy;

    public DestinationMatcher(List<DestinationSettings> entries, DestinationPolicy defaultPolicy) {
        this.rules = entries.stream()
                .map(entry -> new HostRule(new HostPatterns(entry.match()), entry))
                .toList();
        this.defaultPolicy = defaultPolicy;
    }

    /**
     * Returns the first entry that matches the host.
     *
     * @param host in canonical spelling
     */
    public Optional<DestinationSettings> find(String host) {
        for (HostRule rule : rules) {
            if (rule.hosts().matches(host)) {
                return Optional.of(rule.entry());
            }
        }
        return Optional.empty();
    }

    /** Returns the policy for hosts that no entry matches. */
    public DestinationPolicy defaultPolicy() {
        return defaultPolicy;
    }

    private record HostRule(HostPatterns hosts, DestinationSettings entry) {}
}
