package io.iocluster.node.history;

import java.time.Instant;
import java.util.Locale;

/**
 * Something that explains a step in the figures. Immutable.
 *
 * @param detail what has changed; empty if the kind says it all
 */
record HistoryEvent(Instant at, Kind kind, String detail) {

    /** What has happened. */
    enum Kind {
        STARTED,
        CONFIGURATION_APPLIED,
        CONFIGURATION_REFUSED,
        RESIZED;

        String wireName() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }
}
