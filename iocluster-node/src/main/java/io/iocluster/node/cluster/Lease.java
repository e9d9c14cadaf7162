package io.iocluster.node.cluster;

import java.time.Duration;

/**
 * What a record on the channel of announcements says about the share of its node. Immutable. The constructor refuses what no node sends,
 * because anyone may have written the record.
 *
 * @param millis how long the other nodes count the node after they have received the record
 * @param sentMillis when the record was sent, by the monotonic clock of its node
 * @param used whether the node uses a share, so that the others divide the limits with it
 */
public record Lease(long millis, long sentMillis, boolean used) {

    /** The shortest {@code cluster.share-lease}. A record with a shorter one could make its node hold its calls. */
    private static final long MIN_MILLIS = 1_000;

    private static final long MAX_MILLIS = Duration.ofMinutes(4).toMillis();
    private static final double OLDER_VERSION_INTERVALS = 3.5;

    public Lease {
        if (millis < MIN_MILLIS || millis > MAX_MILLIS) {
            throw new IllegalArgumentException("millis is not valid");
        }
        if (sentMillis < 0) {
            throw new IllegalArgumentException("sentMillis is not valid");
        }
    }

    /** Returns the lease of a node of an older version, which only announces itself and counts as soon as it does. */
    public static Lease ofOlderVersion(long intervalMillis) {
        return new Lease((long) (OLDER_VERSION_INTERVALS * intervalMillis), 0, true);
    }
}
