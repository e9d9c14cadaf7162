package io.iocluster.node.cluster;

import java.util.Locale;

/** Why a record on the channel of announcements is ignored. */
enum IgnoredRecord {
    /** It is no announcement, or has a value that no node sends. */
    UNREADABLE,
    /** A later version of IOCluster wrote it. */
    UNKNOWN_VERSION,
    /** It is the only one of its node: a node is shown from its second record on. */
    UNCONFIRMED,
    /** {@code cluster.max-nodes} other nodes are live. */
    TOO_MANY_NODES;

    /** Returns the name in the admin API and in metrics. */
    String wireName() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
