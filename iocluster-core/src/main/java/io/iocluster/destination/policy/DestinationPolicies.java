package io.iocluster.destination.policy;

import java.util.List;

/** Says by a host which policy its calls have. Immutable; for any thread. */
public final class DestinationPolicies {

    private final DestinationMatcher table;

    public DestinationPolicies(List<DestinationSettings> entries, DestinationPolicy others) {
        this.table = new DestinationMatcher(entries, others);
    }

    /** The policy for a host in canonical spelling. */
    public DestinationPolicy policyFor(String host) {
        return table.find(host).map(DestinationSettings::policy).orElse(table.defaultPolicy());
    }
}
