package io.iocluster.destination;

import java.util.List;

/** Says by a host which policy its calls have. Immutable; for any thread. */
public final class DestinationPolicies {

    private final DestinationTable table;

    public DestinationPolicies(List<DestinationSettings> entries, DestinationPolicy others) {
        this.table = new DestinationTable(entries, others);
    }

    /** The policy for a host in canonical spelling. */
    public DestinationPolicy of(String host) {
        return table.find(host).map(DestinationSettings::policy).orElse(table.others());
    }
}
