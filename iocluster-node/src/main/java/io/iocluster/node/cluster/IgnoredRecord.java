package io.iocluster.node.cluster;

import java.util.Locale;

/** Why a record on the channel of announcements is ignored. */
enum IgnoredRecord {
    /** It is not an announcement, or has a value that no node sends. */
    UNREADABLE("only nodes may write to the topic or exchange of the announcements"),
    /** A later version of IOCluster wrote it. */
    UNKNOWN_VERSION("a later version of IOCluster wrote them; this node does not show these nodes until it is updated"),
    /** Its node announced itself only once. Nodes are shown after their second record. */
    UNCONFIRMED(
            "their nodes announced themselves only once: each ended soon after, or another program wrote its record"),
    /** {@code cluster.max-nodes} other nodes are live. */
    TOO_MANY_NODES("cluster.max-nodes is reached; raise it if there are more nodes");

    private final String explanation;

    IgnoredRecord(String explanation) {
        this.explanation = explanation;
    }

    /** Returns the name in the admin API and in metrics. */
    String wireName() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns what it means and what to do, for operators. */
    String explanation() {
        return explanation;
    }
}
