package io.iocluster.node.cluster;

import io.iocluster.log.LogThrottle;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts the ignored records by reason, and logs each reason at most once a minute. Confined to its owner's lock. */
final class IgnoredRecords {

    private static final Logger LOG = LoggerFactory.getLogger(IgnoredRecords.class);
    private static final Duration LOG_INTERVAL = Duration.ofMinutes(1);

    private final Map<IgnoredRecord, Long> counts = new EnumMap<>(IgnoredRecord.class);
    private final Map<IgnoredRecord, LogThrottle> throttles = new EnumMap<>(IgnoredRecord.class);

    IgnoredRecords(LongSupplier nanoTime) {
        for (IgnoredRecord reason : IgnoredRecord.values()) {
            counts.put(reason, 0L);
            throttles.put(reason, new LogThrottle(LOG, LOG_INTERVAL, nanoTime));
        }
    }

    void add(IgnoredRecord reason) {
        counts.merge(reason, 1L, Long::sum);
        long suppressed = throttles.get(reason).pollSuppressed();
        if (suppressed != LogThrottle.NOT_DUE) {
            LOG.warn(
                    "Announcements ignored reason={} records={} explanation={}",
                    reason.wireName(),
                    suppressed + 1,
                    reason.explanation());
        }
    }

    /** Returns the counts since the start. */
    Map<IgnoredRecord, Long> counts() {
        return Map.copyOf(counts);
    }
}
