package io.iocluster.destination;

import io.iocluster.egress.HostPatterns;
import java.util.List;
import java.util.Optional;

/** The configured destinations, and what holds for all others. Immutable. */
final class DestinationTable {

    private final List<Row> rows;
    private final DestinationPolicy others;

    DestinationTable(List<DestinationSettings> entries, DestinationPolicy others) {
        this.rows = entries.stream()
                .map(entry -> new Row(new HostPatterns(entry.match()), entry))
                .toList();
        this.others = others;
    }

    /** The first entry that means this host, which is in canonical spelling. */
    Optional<DestinationSettings> find(String host) {
        for (Row row : rows) {
            if (row.hosts().match(host)) {
                return Optional.of(row.entry());
            }
        }
        return Optional.empty();
    }

    /** What holds for a host that no entry means. */
    DestinationPolicy others() {
        return others;
    }

    private record Row(HostPatterns hosts, DestinationSettings entry) {}
}
