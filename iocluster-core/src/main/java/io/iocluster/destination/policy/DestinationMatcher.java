package io.iocluster.destination.policy;

import io.iocluster.egress.HostPatterns;
import java.util.List;
import java.util.Optional;

/** The configured destinations, and what holds for all others. Immutable. */
public final class DestinationMatcher {

    private final List<HostRule> rows;
    private final DestinationPolicy others;

    public DestinationMatcher(List<DestinationSettings> entries, DestinationPolicy others) {
        this.rows = entries.stream()
                .map(entry -> new HostRule(new HostPatterns(entry.match()), entry))
                .toList();
        this.others = others;
    }

    /** The first entry that means this host, which is in canonical spelling. */
    public Optional<DestinationSettings> find(String host) {
        for (HostRule row : rows) {
            if (row.hosts().matches(host)) {
                return Optional.of(row.entry());
            }
        }
        return Optional.empty();
    }

    /** What holds for a host that no entry means. */
    public DestinationPolicy defaultPolicy() {
        return others;
    }

    private record HostRule(HostPatterns hosts, DestinationSettings entry) {}
}
